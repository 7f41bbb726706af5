internal import Reports

/// The sums of every group in every period, and of all plays of each, to which sessions are added one by one.
struct TallyRows {
    /// The row of each group, period by period, -1 without one; before them that of all plays.
    private let rowOfGroup: [Int32]
    private let groups: Int
    private var rows: [Row]
    /// For each row as many as there are percentiles.
    private var shares: [RatioSums]
    private var cross: [CrossSums]
    private let percents: Int
    private let hasCross: Bool

    /// One error code in one phase.
    struct FailureKind: Hashable {
        var code: Int32
        var isAtStart: Bool
    }

    private struct Row {
        var withinTarget = RatioSums()
        var rebuffering = RatioSums()
        var stalls = RatioSums()
        var playsWithStall = RatioSums()
        var failed = RatioSums()
        var exitsBeforeStart = RatioSums()
        var data = RatioSums()
        var bytes: Int128 = 0
        var sessionBytes: [Int64] = []
        var memory: [Int64] = []
        var failures: [FailureKind: FailureSums] = [:]

        @inline(__always)
        mutating func add(_ sums: SessionSums, isSession: Bool) {
            failed.add(x: sums.plays, y: sums.failed)
            exitsBeforeStart.add(x: sums.plays, y: sums.exitsBeforeStart)
            if sums.started > 0 {
                rebuffering.add(x: sums.watchedMs, y: sums.stalledMs)
                stalls.add(x: sums.watchedMs, y: sums.stalls)
                playsWithStall.add(x: sums.started, y: sums.playsWithStall)
            }
            if sums.measured > 0 { withinTarget.add(x: sums.measured, y: sums.withinTarget) }
            guard isSession, sums.hasKnownBytes else { return }
            data.add(x: 1, y: Int64(min(sums.bytes, Int128(RatioSums.byteCap))))
            sessionBytes.append(Int64(clamping: sums.bytes))
            bytes += sums.bytes
        }

        func ratio(_ measure: Measure) -> RatioSums {
            switch measure {
            case .withinTarget: withinTarget
            case .rebuffering: rebuffering
            case .stalls: stalls
            case .playsWithStall: playsWithStall
            case .failed: failed
            case .exitsBeforeStart: exitsBeforeStart
            case .data: data
            }
        }
    }

    /// - Parameter rowOfGroup: by period; rows are numbered from 0, those of all plays first, one a period.
    init(rowOfGroup: [[Int32]], rows: Int, percents: Int, hasCross: Bool) {
        self.rowOfGroup = rowOfGroup.flatMap { $0 }
        groups = rowOfGroup.first?.count ?? 0
        self.percents = percents
        self.hasCross = hasCross
        self.rows = Array(repeating: Row(), count: rows)
        shares = Array(repeating: RatioSums(), count: rows * percents)
        cross = hasCross ? Array(repeating: CrossSums(), count: rows * Measure.allCases.count) : []
    }

    @inline(__always)
    func row(of group: Int32, in period: Int) -> Int { Int(rowOfGroup[period * groups + Int(group)]) }

    /// Adds what a session, or a play without one, has in a row.
    ///
    /// - Parameter atMost: of its measured plays, how many are at or below each percentile of the row.
    @inline(__always)
    mutating func add(_ sums: SessionSums, atMost: SIMD8<Int32>, isSession: Bool, to row: Int) {
        rows[row].add(sums, isSession: isSession)
        guard sums.measured > 0 else { return }
        for percent in 0..<percents {
            shares[row * percents + percent].add(x: sums.measured, y: Int64(atMost[percent]))
        }
    }

    mutating func add(memory bytes: Int64, to row: Int) { rows[row].memory.append(bytes) }

    mutating func add(_ kind: FailureKind, plays: Int64, failed: Int64, to row: Int) {
        // The code's text comes in at the end.
        rows[row].failures[kind, default: FailureSums(code: ByteText(""), isAtStart: kind.isAtStart)].add(
            plays: plays, failed: failed)
    }

    /// Adds a session that has plays in a row and on its other side.
    mutating func addCross(_ own: SessionSums, _ other: SessionSums, to row: Int) {
        for measure in Measure.compared {
            guard let one = own.pair(measure), let two = other.pair(measure) else { continue }
            cross[row * Measure.allCases.count + measure.rawValue].add(one, two)
        }
    }

    /// The sums of one row, without totals and startups.
    ///
    /// - Parameter codes: texts of error codes by their numbers.
    mutating func sums(of row: Int, key: GroupKey?, codes: [ByteText]) -> GroupSums {
        var sums = GroupSums(key: key)
        sums.ratios = ByMeasure { rows[row].ratio($0) }
        sums.startupShares = Array(shares[row * percents..<(row + 1) * percents])
        if hasCross { sums.cross = ByMeasure { cross[row * Measure.allCases.count + $0.rawValue] } }
        sums.failures = rows[row].failures.map { kind, failures in
            var failures = failures
            failures.code = codes[Int(kind.code)]
            return failures
        }.sorted { $0.precedes($1) }
        sums.data.sessions = Int64(rows[row].sessionBytes.count)
        sums.data.bytes = rows[row].bytes
        let data = RankSelection.percentiles([50, 95], of: &rows[row].sessionBytes)
        (sums.data.p50, sums.data.p95) = (data[0].map { Int128($0) }, data[1].map { Int128($0) })
        sums.memory.sessions = Int64(rows[row].memory.count)
        let last = RankSelection.percentiles([50, 95], of: &rows[row].memory)
        (sums.memory.p50, sums.memory.p95) = (last[0], last[1])
        return sums
    }
}

/// Values at given ranks of a list that nobody has to sort.
enum RankSelection {
    /// Percentiles by nearest rank; nil without values. The list's order is lost.
    ///
    /// - Complexity: O(*n*).
    static func percentiles(_ percents: [Int64], of values: inout [Int64]) -> [Int64?] {
        guard !values.isEmpty else { return percents.map { _ in nil } }
        return percents.map { percent in
            select(Int(NearestRank.rank(percent, of: Int64(values.count))) - 1, in: &values)
        }
    }

    /// The value at a place of the sorted list, by narrowing the list down from its middle values (C. A. R. Hoare, "Find",
    /// 1961).
    private static func select(_ position: Int, in values: inout [Int64]) -> Int64 {
        var (low, high) = (0, values.count - 1)
        while low < high {
            let middle = values[low + (high - low) / 2]
            let pivot = max(min(values[low], middle), min(max(values[low], middle), values[high]))
            var (left, right) = (low, high)
            while left <= right {
                while values[left] < pivot { left += 1 }
                while values[right] > pivot { right -= 1 }
                if left <= right {
                    values.swapAt(left, right)
                    left += 1
                    right -= 1
                }
            }
            if position <= right {
                high = right
            } else if position >= left {
                low = left
            } else {
                return values[position]
            }
        }
        return values[position]
    }
}
