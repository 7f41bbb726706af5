/// Lines read from a log: whole commits, in order.
package struct LogChunk: Sendable {
    /// Lines, each ended by LF. Empty where nothing but damage was passed.
    package var lines: [UInt8] = []
    /// Where reading began, after any jump over files that are gone.
    package var start: LogPlace
    /// Where the next chunk begins: to be stored in the same transaction as what the lines say.
    package var end: LogPlace
    /// Stretches between `start` and `end` that could not be read and were passed over.
    package var damage: [LogDamage] = []

    package init(start: LogPlace) {
        self.start = start
        end = start
    }

    /// Empties the chunk and keeps its memory.
    mutating func begin(at place: LogPlace) {
        lines.removeAll(keepingCapacity: true)
        damage.removeAll()
        start = place
        end = place
    }
}
