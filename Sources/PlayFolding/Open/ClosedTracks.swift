/// What is remembered of plays that are closed: up to when their reports are late ones, and whether they failed.
struct ClosedTracks {
    struct Failure {
        /// By the player's clock, ms since 1970.
        var endedAt: Int64
        /// 1, or which retry it was.
        var attempt: Int64
    }

    struct Memory {
        /// The last report's time, by the player's clock.
        var lastTs: Int64
        /// The first line of its reports.
        var firstLine: Int64
        var failure: Failure?
        /// By the log's clock.
        var until: Int64 = 0

        init(lastTs: Int64, firstLine: Int64) {
            self.lastTs = lastTs
            self.firstLine = firstLine
        }
    }

    private var memories: [TrackID: Memory] = [:]
    /// By when they are forgotten; the first is at ``start``.
    private var queue: [(id: TrackID, until: Int64)] = []
    private var start = 0
    /// For each minute of the log's clock the first line that is needed until then.
    private var held: [Int64: Int64] = [:]

    /// The minute before which nothing is held any more.
    private var heldFrom: Int64 = 0

    private static let minute: Int64 = 60_000

    subscript(id: TrackID) -> Memory? { memories[id] }

    /// The first line that is still needed; nil when none is.
    var oldestLine: Int64? { held.values.min() }

    mutating func remember(_ id: TrackID, _ memory: Memory, until: Int64) {
        var memory = memory
        memory.until = until
        if let earlier = memories[id] { memory.lastTs = max(memory.lastTs, earlier.lastTs) }
        memories[id] = memory
        queue.append((id, until))
    }

    /// Needs the lines from one on until a time of the log's clock, or a minute longer.
    mutating func hold(_ line: Int64, until: Int64) {
        held[until / Self.minute, default: line] = min(line, held[until / Self.minute] ?? line)
    }

    mutating func forget(before clock: Int64, keeping most: Int) {
        while start < queue.count, queue[start].until <= clock || memories.count > most {
            let (id, until) = queue[start]
            if memories[id]?.until == until { memories[id] = nil }
            start += 1
        }
        if start > 1_024, start > queue.count / 2 {
            queue.removeFirst(start)
            start = 0
        }
        let minute = clock / Self.minute
        if minute > heldFrom {
            heldFrom = minute
            held = held.filter { $0.key >= minute }
        }
    }
}
