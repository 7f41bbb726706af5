package import Archive
package import PlaybackEvents

/// What a store has to know of an erasure.
package struct StoreErasure: Sendable {
    /// 32 hexadecimal digits, the same with every try.
    package var id: String
    package var target: ErasureTarget
    /// Those of the target alone.
    package var tombstones: Tombstones
    /// The lines of all requests that have lines of the target.
    package var lines: ErasedLines
    /// A file for what a store finds and has no room for in memory; it names somebody, and whoever asks for the erasure removes it.
    package var rows: String
    /// Up to where the store had read the archive before it knew of the erasure: what it read later it never took.
    package var end: LogPosition
    /// What the store's totals were before the erasure; nil where they are noted now.
    package var marks: Marks?
    /// Notes the totals durably before anything is changed, so that a second try knows whether the first one was done.
    /// Nil takes the note back.
    package var note: @Sendable (Marks?) throws -> Void

    /// Totals that every erasure of a play changes, and nothing else while the follower stands.
    package struct Marks: Sendable, Equatable {
        package var arrivals: Int64
        package var loaded: Int64
        package var duplicates: Int64

        package init(arrivals: Int64, loaded: Int64, duplicates: Int64) {
            (self.arrivals, self.loaded, self.duplicates) = (arrivals, loaded, duplicates)
        }

        package init(_ totals: StoreTotals) {
            self.init(arrivals: totals.arrivals, loaded: totals.loaded, duplicates: totals.duplicates)
        }
    }

    package init(
        id: String, _ target: ErasureTarget, _ lines: ErasedLines, rows: String, end: LogPosition, marks: Marks?,
        note: @escaping @Sendable (Marks?) throws -> Void
    ) {
        self.id = id
        self.target = target
        tombstones = Tombstones(target)
        self.lines = lines
        self.rows = rows
        self.end = end
        self.marks = marks
        self.note = note
    }

    /// Whether the totals are still those from before the erasure.
    package func isFirstTry(_ totals: StoreTotals) -> Bool { marks.map { $0 == Marks(totals) } ?? true }
}

extension LoggedPlays {
    /// Takes every play for erased that is one of those.
    package mutating func erase(_ tombstones: Tombstones) {
        if tombstones.isEmpty { return }
        for position in entries.indices where isErased(entries[position], tombstones) { eraseEntry(position) }
    }

    package func isErased(_ entry: Entry, _ tombstones: Tombstones) -> Bool {
        guard case .play(let play) = entry.kind else { return false }
        let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
        return tombstones.has(play, id: id, in: text)
    }
}
