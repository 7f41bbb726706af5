/// Takes reports without news together, so that a play costs what happens in it and not how long it lasts.
enum EntryCollapse {
    /// Reports further apart are not taken together, in ms: the fold may have to know that nothing came.
    private static let longestStretch: Int64 = 90_000
    /// The longest stretch that is one entry, in ms.
    private static let longest: Int64 = 3_600_000

    /// - Complexity: O(n log n).
    static func collapsed(_ entries: [FoldEntry]) -> [FoldEntry] {
        let ordered = OrderedEntries(entries)
        var collapsed: [FoldEntry] = []
        var bitrate: Int64 = 0
        for (index, entry) in ordered.entries.enumerated() {
            let isNew = entry.bitrate > 0 && entry.bitrate != bitrate
            if entry.bitrate > 0 { bitrate = entry.bitrate }
            if let last = collapsed.last, !isNew, ordered.run[index] == ordered.run[index - 1],
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
        return collapsed
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
