internal import Reports

/// The sums of every group in every period, and of all plays of each, to which sessions are added one by one.
struct TallyRows {
    /// By period, the row of each group, -1 without one; before them that of all plays.
    let rowOfGroup: [[Int32]]
    private var ratios: [RatioSums]
    /// For each row as many as there are percentiles.
    private var shares: [RatioSums]
    private var failures: [[FailureKind: FailureSums]]
    private var sessionBytes: [[Int64]]
    private var bytes: [Int128]
    private var memory: [[Int64]]
    private var cross: [CrossSums]
    private let percents: Int
    private let hasCross: Bool

    static let measures = Measure.allCases.count

    /// One error code in one phase.
    struct FailureKind: Hashable {
        var code: Int32
        var isAtStart: Bool
    }

    /// - Parameter rowOfGroup: rows are numbered from 0; those of all plays first, one a period.
    init(rowOfGroup: [[Int32]], rows: Int, percents: Int, hasCross: Bool) {
        self.rowOfGroup = rowOfGroup
        self.percents = percents
        self.hasCross = hasCross
        ratios = Array(repeating: RatioSums(), count: rows * Self.measures)
        shares = Array(repeating: RatioSums(), count: rows * percents)
        failures = Array(repeating: [:], count: rows)
        sessionBytes = Array(repeating: [], count: rows)
        bytes = Array(repeating: 0, count: rows)
        memory = Array(repeating: [], count: rows)
        cross = hasCross ? Array(repeating: CrossSums(), count: rows * Self.measures) : []
    }

    /// Adds what a session, or a play without one, has in a row.
    ///
    /// - Parameter atMost: of its measured plays, how many are at or below each percentile of the row.
    @inline(__always)
    mutating func add(_ sums: SessionSums, atMost: SIMD8<Int32>, isSession: Bool, to row: Int) {
        let start = row * Self.measures
        ratios[start + Measure.failed.rawValue].add(x: sums.plays, y: sums.failed)
        ratios[start + Measure.exitsBeforeStart.rawValue].add(x: sums.plays, y: sums.exitsBeforeStart)
        if sums.started > 0 {
            ratios[start + Measure.rebuffering.rawValue].add(x: sums.watchedMs, y: sums.stalledMs)
            ratios[start + Measure.stalls.rawValue].add(x: sums.watchedMs, y: sums.stalls)
            ratios[start + Measure.playsWithStall.rawValue].add(x: sums.started, y: sums.playsWithStall)
        }
        if sums.measured > 0 {
            ratios[start + Measure.withinTarget.rawValue].add(x: sums.measured, y: sums.withinTarget)
            for percent in 0..<percents {
                shares[row * percents + percent].add(x: sums.measured, y: Int64(atMost[percent]))
            }
        }
        guard isSession, sums.hasKnownBytes else { return }
        ratios[start + Measure.data.rawValue].add(x: 1, y: Int64(min(sums.bytes, Int128(RatioSums.byteCap))))
        sessionBytes[row].append(Int64(clamping: sums.bytes))
        bytes[row] += sums.bytes
    }

    mutating func add(memory bytes: Int64, to row: Int) { memory[row].append(bytes) }

    mutating func add(_ kind: FailureKind, code: ByteText, plays: Int64, failed: Int64, to row: Int) {
        failures[row][kind, default: FailureSums(code: code, isAtStart: kind.isAtStart)].add(
            plays: plays, failed: failed)
    }

    /// Adds a session that has plays in a row and on its other side.
    mutating func addCross(_ own: SessionSums, _ other: SessionSums, to row: Int) {
        for measure in Measure.compared {
            guard let one = own.pair(measure), let two = other.pair(measure) else { continue }
            cross[row * Self.measures + measure.rawValue].add(one, two)
        }
    }

    /// The sums of one row, without totals and startups.
    mutating func sums(of row: Int, key: GroupKey?) -> GroupSums {
        var sums = GroupSums(key: key)
        sums.ratios = ByMeasure { ratios[row * Self.measures + $0.rawValue] }
        sums.startupShares = Array(shares[row * percents..<(row + 1) * percents])
        if hasCross { sums.cross = ByMeasure { cross[row * Self.measures + $0.rawValue] } }
        sums.failures = failures[row].values.sorted { $0.precedes($1) }
        sums.data.sessions = Int64(sessionBytes[row].count)
        sums.data.bytes = bytes[row]
        let data = RankSelection.percentiles([50, 95], of: &sessionBytes[row])
        (sums.data.p50, sums.data.p95) = (data[0].map { Int128($0) }, data[1].map { Int128($0) })
        sums.memory.sessions = Int64(memory[row].count)
        let last = RankSelection.percentiles([50, 95], of: &memory[row])
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
