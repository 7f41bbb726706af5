/// Reports of one session and content in the order in which they were made, and what their numbers say is missing.
struct OrderedEntries {
    private(set) var entries: [FoldEntry] = []
    /// The run of each entry: a player counts its reports anew with each source.
    private(set) var run: [Int] = []
    private var numbers: [NumberSet] = []
    /// The place of each run's first entry.
    private(set) var runStart: [Int] = []

    /// - Complexity: O(n log n).
    init(_ unordered: [FoldEntry]) {
        var placed = unordered.filter { $0.event != .response || $0.sn < 0 }.sorted(by: FoldEntry.precedes)
        Self.removeRepeats(&placed)
        let responses = unordered.filter { $0.event == .response && $0.sn >= 0 }
        if !responses.isEmpty {
            placed += Self.dated(responses, among: placed)
            placed.sort(by: FoldEntry.precedes)
            Self.removeRepeats(&placed)
        }
        entries = placed
        number()
    }

    private mutating func number() {
        var last: Int64 = -1
        for (index, entry) in entries.enumerated() {
            if index == 0 || Self.beginsRun(entry, after: last) {
                runStart.append(index)
                numbers.append(NumberSet())
                last = -1
            }
            run.append(runStart.count - 1)
            if entry.sn >= 0 {
                last = entry.lastSn
                numbers[numbers.count - 1].insert(entry.sn...entry.lastSn)
            }
        }
        for index in numbers.indices { numbers[index].close() }
    }

    private static func beginsRun(_ entry: FoldEntry, after last: Int64) -> Bool {
        (entry.sn == 0 || entry.sn == 1) && entry.sn <= last
    }

    private static func removeRepeats(_ entries: inout [FoldEntry]) {
        var kept = 0
        for entry in entries {
            if kept > 0 {
                let last = entries[kept - 1]
                let isInside = entry.sn >= last.sn && entry.lastSn <= last.lastSn && entry.lastTs <= last.lastTs
                let isCollapsed = last.lastSn > last.sn && entry.sn >= 0 && isInside && entry.state == last.state
                if last.isRepeated(by: entry) || isCollapsed {
                    entries[kept - 1].merge(receiptOf: entry)
                    continue
                }
            }
            entries[kept] = entry
            kept += 1
        }
        entries.removeLast(entries.count - kept)
    }

    /// A response is dated by the beginning of its request and speaks of its end: it counts at the time of the report that
    /// precedes it by number.
    private static func dated(_ responses: [FoldEntry], among placed: [FoldEntry]) -> [FoldEntry] {
        // The runs of what has a time of its own: each a list of (number, place), ascending.
        var runs: [(start: Int64, entries: [(last: Int64, position: Int)])] = []
        var last: Int64 = -1
        for (position, entry) in placed.enumerated() where entry.sn >= 0 {
            if runs.isEmpty || beginsRun(entry, after: last) { runs.append((entry.ts, [])) }
            last = entry.lastSn
            runs[runs.count - 1].entries.append((entry.lastSn, position))
        }
        for index in runs.indices { runs[index].entries.sort { $0.last < $1.last } }
        return responses.compactMap { response in
            let latest = lastIndex(of: runs.count) { runs[$0].start <= response.ts }
            guard let run = latest ?? (runs.isEmpty ? nil : 0) else { return response }
            let entries = runs[run].entries
            let found = lastIndex(of: entries.count) { entries[$0].last < response.sn }
            let after = found.map { $0 + 1 } ?? 0
            if after < entries.count {
                let next = placed[entries[after].position]
                // It is one of those that were taken together.
                if next.sn < next.lastSn, next.sn <= response.sn { return nil }
            }
            guard let before = found else { return response }
            var dated = response
            dated.ts = placed[entries[before].position].lastTs
            dated.lastTs = dated.ts
            return dated
        }
    }

    /// The last of the first places for which a condition holds, which holds for none after those.
    private static func lastIndex(of count: Int, where holds: (Int) -> Bool) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : low - 1
    }

    /// Whether a report was made between an entry and what came before it, and did not come.
    func hasGap(before index: Int) -> Bool {
        let number = entries[index].sn
        return number > 1 && !numbers[run[index]].contains(number - 1)
    }

    /// Whether all of a run's numbers are there from its beginning to an entry's.
    ///
    /// A player begins at 0 or at 1. The one that begins with `r` begins at 0.
    func isComplete(to index: Int) -> Bool {
        let numbers = numbers[run[index]]
        guard let first = numbers.first else { return true }
        let start = runStart[run[index]]
        guard first == 0 || (first == 1 && entries[start].state != .rebuffering) else { return false }
        let number = entries[start...index].reduce(-1) { max($0, $1.lastSn) }
        return numbers.isContiguous(to: number)
    }

    /// How many times a number is missing between the entries of a stretch.
    func gaps(in range: Range<Int>) -> Int {
        range.dropFirst().count { run[$0] == run[$0 - 1] && hasGap(before: $0) }
    }

    /// Whether a number is missing in a stretch, or between it and what comes before it in its run.
    func hasGap(in range: Range<Int>) -> Bool { range.contains(where: hasGap(before:)) }
}

/// The numbers of a run that are there.
private struct NumberSet {
    private var ranges: [ClosedRange<Int64>] = []

    var first: Int64? { ranges.first?.lowerBound }

    mutating func insert(_ range: ClosedRange<Int64>) {
        if let last = ranges.last, range.lowerBound >= last.lowerBound, range.lowerBound <= last.upperBound + 1 {
            ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        } else {
            ranges.append(range)
        }
    }

    /// Puts the ranges in order; to be called once, after the last insertion.
    mutating func close() {
        let unordered = ranges.sorted { $0.lowerBound < $1.lowerBound }
        ranges.removeAll(keepingCapacity: true)
        for range in unordered { insert(range) }
    }

    func contains(_ number: Int64) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound <= number { low = middle + 1 } else { high = middle }
        }
        return low > 0 && ranges[low - 1].contains(number)
    }

    func isContiguous(to number: Int64) -> Bool { ranges.first.map { $0.upperBound >= number } ?? true }
}
