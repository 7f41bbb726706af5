internal import Reports

/// The sums of every group in every period, and of all plays of each, to which sessions are added one by one.
///
/// Most sessions lie in one group of a period. They are added to their group alone, and the sums of all plays take what is
/// alone in each group: nothing is added up or kept twice.
struct TallyRows {
    /// By period, the row of each group, which several may share; before them that of all plays.
    let rowOfGroup: [[Int32]]
    /// For each row those of sessions that are in other groups of the period too, then those of sessions that are not.
    private var ratios: [RatioSums]
    private var bytes: [Int128]
    private var sessionBytes: [NumberList]
    private var memory: [NumberList]
    /// For each row as many as there are percentiles.
    private var shares: [RatioSums]
    private var failures: [[FailureKind: FailureSums]]
    private var cross: [CrossSums]
    private let percents: Int
    private let hasCross: Bool

    private static let measures = Measure.allCases.count

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
        ratios = Array(repeating: RatioSums(), count: 2 * rows * Self.measures)
        bytes = Array(repeating: 0, count: 2 * rows)
        sessionBytes = Array(repeating: NumberList(), count: 2 * rows)
        memory = Array(repeating: NumberList(), count: 2 * rows)
        shares = Array(repeating: RatioSums(), count: rows * percents)
        failures = Array(repeating: [:], count: rows)
        cross = hasCross ? Array(repeating: CrossSums(), count: rows * Self.measures) : []
    }

    /// Adds what a session, or a play without one, has in a row.
    ///
    /// - Parameter isAlone: the row is a group's, the session is in no other group of the period, and is not added to the row
    ///   of all plays.
    @inline(__always)
    mutating func add(_ sums: SessionSums, memory last: LastMemory, isSession: Bool, to row: Int, isAlone: Bool) {
        let part = 2 * row + (isAlone ? 1 : 0)
        let start = part * Self.measures
        ratios[start + Measure.failed.rawValue].add(x: sums.plays, y: sums.failed)
        ratios[start + Measure.exitsBeforeStart.rawValue].add(x: sums.plays, y: sums.exitsBeforeStart)
        if sums.started > 0 {
            ratios[start + Measure.rebuffering.rawValue].add(x: sums.watchedMs, y: sums.stalledMs)
            ratios[start + Measure.stalls.rawValue].add(x: sums.watchedMs, y: sums.stalls)
            ratios[start + Measure.playsWithStall.rawValue].add(x: sums.started, y: sums.playsWithStall)
        }
        if sums.measured > 0 {
            ratios[start + Measure.withinTarget.rawValue].add(x: sums.measured, y: sums.withinTarget)
        }
        guard isSession else { return }
        if last.isKnown { memory[part].append(last.bytes) }
        guard sums.hasKnownBytes else { return }
        ratios[start + Measure.data.rawValue].add(x: 1, y: Int64(min(sums.bytes, Int128(RatioSums.byteCap))))
        sessionBytes[part].append(Int64(clamping: sums.bytes))
        bytes[part] += sums.bytes
    }

    /// Adds how many of a session's measured plays are at or below each percentile of a row.
    @inline(__always)
    mutating func addShares(measured: Int64, atMost: SIMD8<Int32>, to row: Int) {
        guard measured > 0 else { return }
        for percent in 0..<percents {
            shares[row * percents + percent].add(x: measured, y: Int64(atMost[percent]))
        }
    }

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
    ///
    /// - Parameter groups: for the row of all plays, the rows of the period's groups.
    func sums(of row: Int, key: GroupKey?, groups: [Int] = []) -> GroupSums {
        let parts = [2 * row, 2 * row + 1] + groups.map { 2 * $0 + 1 }
        var sums = GroupSums(key: key)
        for part in parts {
            for measure in Measure.allCases {
                sums.ratios[measure] += ratios[part * Self.measures + measure.rawValue]
            }
            sums.data.bytes += bytes[part]
        }
        sums.startupShares = Array(shares[row * percents..<(row + 1) * percents])
        if hasCross { sums.cross = ByMeasure { cross[row * Self.measures + $0.rawValue] } }
        sums.failures = failures[row].values.sorted { $0.precedes($1) }
        let (data, last) = (parts.map { sessionBytes[$0] }, parts.map { memory[$0] })
        sums.data.sessions = Int64(data.reduce(0) { $0 + $1.count })
        (sums.data.p50, sums.data.p95) = NumberList.percentiles(of: data).map { $0.map { Int128($0) } }.pair
        sums.memory.sessions = Int64(last.reduce(0) { $0 + $1.count })
        (sums.memory.p50, sums.memory.p95) = NumberList.percentiles(of: last).pair
        return sums
    }
}

extension [Int128?] {
    fileprivate var pair: (Int128?, Int128?) { (self[0], self[1]) }
}

extension [Int64?] {
    fileprivate var pair: (Int64?, Int64?) { (self[0], self[1]) }
}
