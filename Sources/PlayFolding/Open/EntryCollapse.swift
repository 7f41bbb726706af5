/// Takes reports without news together, so that a play costs what happens in it and not how long it lasts.
enum EntryCollapse {
    /// Reports further apart are not taken together, in ms: the fold may have to know that nothing came.
    private static let longestStretch: Int64 = 90_000
    /// The longest stretch that is one entry, in ms.
    private static let longest: Int64 = 3_600_000

    /// - Parameter settled: what came later by the log's clock is left as it is, since what it follows may still come.
    /// - Complexity: O(n log n).
    static func collapsed(_ entries: [FoldEntry], settled: Int64) -> [FoldEntry] {
        // A response says by its number alone where it belongs, which may still have to begin.
        func isYoungResponse(_ entry: FoldEntry) -> Bool { entry.event == .response && entry.arrival > settled }
        let ordered = OrderedEntries(entries.filter { !isYoungResponse($0) })
        var collapsed: [FoldEntry] = []
        var bitrate: Int64 = 0
        for (index, entry) in ordered.entries.enumerated() {
            let isNew = entry.bitrate > 0 && entry.bitrate != bitrate
            if entry.bitrate > 0 { bitrate = entry.bitrate }
            if let last = collapsed.last, !isNew, max(last.arrival, entry.arrival) <= settled,
                ordered.run[index] == ordered.run[index - 1],
                goesOn(entry, from: last)
            {
                collapsed[collapsed.count - 1].lastTs = max(last.lastTs, entry.lastTs)
                collapsed[collapsed.count - 1].lastSn = entry.lastSn
                collapsed[collapsed.count - 1].lag = min(last.lag, entry.lag)
                collapsed[collapsed.count - 1].line = min(last.line, entry.line)
            } else {
                collapsed.append(entry)
            }
        }
        return collapsed + entries.filter(isYoungResponse)
    }

    private static func goesOn(_ entry: FoldEntry, from last: FoldEntry) -> Bool {
        guard entry.state == last.state || entry.state == .unsaid, entry.msd < 0, entry.code.isEmpty else {
            return false
        }
        guard entry.event != .error, entry.event != .leave, last.event != .leave else { return false }
        guard last.event != .response || entry.event == .response else { return false }
        guard entry.sn >= 0 ? last.sn >= 0 && entry.sn == last.lastSn + 1 : last.sn < 0 else { return false }
        return entry.ts - last.lastTs <= longestStretch && entry.lastTs - last.ts <= longest
    }
}
