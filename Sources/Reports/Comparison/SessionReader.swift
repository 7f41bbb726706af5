internal import Queries

/// Reads a scope's sessions one by one, and its plays without a session.
struct SessionReader {
    let tally: QueriedTally

    /// What one session has in one group and part.
    struct Part {
        var key: GroupKey
        /// 1 in the period, 0 before it.
        var part: Int64
        var sums: ClusterSums
    }

    /// - Parameter visit: gets the parts of one session; or one part, and how many plays without a session are like it.
    func read(_ visit: ([Part], Int64) -> Void) throws {
        var session: ByteText?
        var parts: [Part] = []
        try tally.rows(.sessions, tally.scope) { row in
            let next = row.withText(0) { ByteText($0) }
            if next != session, !parts.isEmpty {
                visit(parts, 1)
                parts.removeAll(keepingCapacity: true)
            }
            session = next
            parts.append(
                Part(key: tally.key(row, from: 1), part: row.integer(4), sums: ClusterSums(session: row, from: 5)))
        }
        if !parts.isEmpty { visit(parts, 1) }
        try tally.rows(.lonePlays, tally.scope) { row in
            let part = Part(key: tally.key(row, from: 0), part: row.integer(3), sums: ClusterSums(lone: row, from: 4))
            visit([part], row.integer(12))
        }
    }
}
