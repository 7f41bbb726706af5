import Foundation
import TestSupport

@testable import Reports

/// Sessions of a world in which nobody's delivery is any different, to see how often a verdict accuses somebody.
struct NullWorld {
    /// What is drawn.
    struct Kind: Sendable {
        var failures = 0.01
        /// 8 % of sessions in trouble with a hundred times the stalls and five times the failures, sizes with σ 1.2.
        var isHeavy = false
        /// The median of startups in ms; the target is 1,000.
        var startup = 400.0
        /// A share on cellular, where starts take so many times as long.
        var cellular = 0.0
        var slowness = 1.0
    }

    /// A session of one network.
    struct Session {
        var isCellular: Bool
        var sums: SessionSums
    }

    var random: SeededGenerator

    private mutating func normal() -> Double {
        (-2 * log(random.uniform())).squareRoot() * cos(2 * .pi * random.uniform())
    }

    /// One session.
    mutating func session(_ kind: Kind) -> Session {
        let isCellular = random.uniform() < kind.cellular
        let startup = log(kind.startup * (isCellular ? kind.slowness : 1)) + 0.3 * normal()
        var failure = kind.failures * exp(0.6 * normal() - 0.18)
        var stall = 0.08 * exp(0.8 * normal())
        var plays = 1 + Int(log(random.uniform()) / log(1 - 1 / 8.0))
        if kind.isHeavy {
            let isInTrouble = random.uniform() < 0.08
            stall = isInTrouble ? 0.3 : 0.003
            failure = kind.failures / 1.32 * (isInTrouble ? 5 : 1)
            plays = max(1, Int(8 * exp(1.2 * normal() - 0.72)))
        }
        var sums = SessionSums()
        for _ in 0..<plays {
            if random.uniform() < 0.02 {
                sums.exitsBeforeStart += 1
                continue
            }
            sums.started += 1
            sums.measured += 1
            sums.withinTarget += startup + 0.6 * normal() <= log(1_000) ? 1 : 0
            let watched = 1_000 + Int64(-20_000 * log(random.uniform()))
            if random.uniform() < stall {
                sums.stalls += 1
                sums.playsWithStall += 1
                sums.stalledMs += min(watched, Int64(-900 * log(random.uniform())))
            }
            sums.watchedMs += watched
            sums.failed += random.uniform() < failure ? 1 : 0
        }
        sums.plays = Int64(plays)
        return Session(isCellular: isCellular, sums: sums)
    }

    static func group(_ sessions: [Session]) -> GroupSums {
        var group = GroupSums(key: GroupKey([ByteText("g")]))
        for session in sessions {
            for measure in Measure.allCases where measure != .data {
                if let (x, y) = session.sums.pair(measure) { group.ratios[measure].add(x: x, y: y) }
            }
        }
        group.cross = ByMeasure { _ in CrossSums() }
        return group
    }

    /// Judged figures of sessions against others.
    static func comparisons(_ own: [Session], _ other: [Session]) -> [Comparison] {
        ComparedPair(names: ["g"], group(own), group(other)).comparisons().filter(\.metric.isJudged)
    }

    // MARK: Tables

    /// Of all samples the share, in percent, that is called worse and better at 5 % and at 0.7 %, by figure.
    struct Shares {
        var samples = 0
        var counts: [ComparedMetric: [Int]] = [:]

        mutating func add(_ comparisons: [Comparison]) {
            samples += 1
            for one in comparisons {
                guard one.verdict == .noDifferenceShown, let p = one.p else { continue }
                for (position, level) in [0.05, 0.007].enumerated() where p < level {
                    counts[one.metric, default: [0, 0, 0, 0]][2 * position + (one.isHigher ? 0 : 1)] += 1
                }
            }
        }

        func percent(_ metric: ComparedMetric) -> [Double] {
            (counts[metric] ?? [0, 0, 0, 0]).map { 100 * Double($0) / Double(max(1, samples)) }
        }

        /// The largest over all figures: worse and better at 5 %, then at 0.7 %.
        var largest: [Double] {
            (0..<4).map { position in ComparedMetric.allCases.map { percent($0)[position] }.max() ?? 0 }
        }
    }

    static func shares(_ kind: Kind, _ others: Int, _ few: Int, samples: Int, seed: UInt64) -> Shares {
        var world = NullWorld(random: SeededGenerator(seed: seed))
        let pool = (0..<20_000).map { _ in world.session(kind) }
        var shares = Shares()
        for _ in 0..<samples {
            let own = (0..<few).map { _ in pool[Int(world.random.next() % UInt64(pool.count))] }
            let other = (0..<others).map { _ in pool[Int(world.random.next() % UInt64(pool.count))] }
            shares.add(comparisons(own, other))
        }
        return shares
    }

    /// Of pages of so many days and groups without a difference the share that accuses somebody, in percent.
    static func pages(_ kind: Kind, days: Int, groups: [Int], samples: Int, seed: UInt64) -> Double {
        var world = NullWorld(random: SeededGenerator(seed: seed))
        let pool = (0..<20_000).map { _ in world.session(kind) }
        var accused = 0
        for _ in 0..<samples {
            var report = ComparisonReport(
                request: ReportRequest(), comparison: ComparisonRequest(.rest), periods: [], asOf: nil, downloads: 0)
            for _ in 0..<days {
                let sessions = groups.map { count in
                    (0..<count).map { _ in pool[Int(world.random.next() % UInt64(pool.count))] }
                }
                let all = sessions.indices.flatMap { index in
                    comparisons(sessions[index], sessions.indices.filter { $0 != index }.flatMap { sessions[$0] })
                }
                report.periods.append(.init(name: "", comparisons: all, groups: groups.count))
            }
            report.judge()
            if report.periods.contains(where: { $0.comparisons.contains { $0.verdict == .worse } }) { accused += 1 }
        }
        return 100 * Double(accused) / Double(samples)
    }

    /// Of experiments without a difference that are looked at every day the share with a winner or loser, in percent; and of
    /// those the share in which the rule for one look would have found one.
    static func experiments(_ kind: Kind, days: Int, each: Int, samples: Int, seed: UInt64)
        -> (sequential: Double, single: Double)
    {
        var world = NullWorld(random: SeededGenerator(seed: seed))
        let pool = (0..<20_000).map { _ in world.session(kind) }
        var (sequential, single) = (0, 0)
        for _ in 0..<samples {
            var (own, other): ([Session], [Session]) = ([], [])
            var looks: [(own: GroupSums, other: GroupSums)?] = []
            var isFound = false
            for _ in 0..<days {
                for _ in 0..<each {
                    own.append(pool[Int(world.random.next() % UInt64(pool.count))])
                    other.append(pool[Int(world.random.next() % UInt64(pool.count))])
                }
                let look = (own: group(own), other: group(other))
                looks.append(look)
                let late = ComparedPair(names: ["g"], look.own, look.other).comparisons().first {
                    $0.metric == .startupWithinTarget
                }
                isFound = isFound || late?.p ?? 1 < 0.05
            }
            let arm = ExperimentArm(name: "b", looks: looks, level: 0.05)
            if arm.figures.first(where: { $0.metric == .startupWithinTarget })?.decidedOnDay != nil { sequential += 1 }
            if isFound { single += 1 }
        }
        return (100 * Double(sequential) / Double(samples), 100 * Double(single) / Double(samples))
    }

    /// Of samples of equal delivery at two mixes of networks the share called worse by any figure when adjusted, in percent,
    /// and by the plain ones.
    static func mixes(sessions: Int, samples: Int, seed: UInt64) throws -> (adjusted: Double, plain: Double) {
        var world = NullWorld(random: SeededGenerator(seed: seed))
        var (adjusted, plain) = (0, 0)
        for _ in 0..<samples {
            let kinds = [0.7, 0.3].map { Kind(failures: 0.02, cellular: $0, slowness: 1.8) }
            let sides = kinds.map { kind in (0..<sessions).map { _ in world.session(kind) } }
            let pair = ComparedPair(names: ["g"], group(sides[0]), group(sides[1]))
            let question = SumsQuestion(PlayScope(ReportRequest()), periods: [nil], otherSide: .rest)
            let adjuster = try Adjuster(MixStore(own: sides[0], other: sides[1]), question, [.network], [[pair]])
            var report = ComparisonReport(
                request: ReportRequest(), comparison: ComparisonRequest(.rest, adjust: [.network]), periods: [],
                asOf: nil, downloads: 0)
            let all = pair.comparisons().map { one in
                var one = one
                one.adjusted = adjuster.adjusted(0, pair, one.metric)
                return one
            }
            report.periods = [.init(name: "", comparisons: all, groups: 1)]
            report.judge()
            let judged = report.periods[0].comparisons
            if judged.contains(where: { $0.adjusted?.verdict == .worse }) { adjusted += 1 }
            if judged.contains(where: { $0.verdict == .worse }) { plain += 1 }
        }
        return (100 * Double(adjusted) / Double(samples), 100 * Double(plain) / Double(samples))
    }
}

/// A store of two sides on two networks, which answers what an adjuster asks.
private struct MixStore: ReportStore {
    var own: [NullWorld.Session]
    var other: [NullWorld.Session]

    private static func key(_ session: NullWorld.Session) -> GroupKey {
        GroupKey([ByteText(session.isCellular ? "cellular" : "wifi")])
    }

    func strata(_ question: SumsQuestion, by strata: [PlayDimension]) throws -> [[GroupKey: [StratumSums]]] {
        var found: [GroupKey: StratumSums] = [:]
        for (sessions, isOwn) in [(own, true), (other, false)] {
            for session in sessions {
                var stratum = found[Self.key(session)] ?? StratumSums(Self.key(session))
                for measure in Measure.allCases where measure != .data {
                    guard let pair = session.sums.pair(measure) else { continue }
                    if isOwn {
                        stratum.own[measure].add(pair, isNew: pair.x > 0)
                    } else {
                        stratum.other[measure].add(pair, isNew: pair.x > 0)
                    }
                }
                found[Self.key(session)] = stratum
            }
        }
        return [[GroupKey([ByteText("g")]): Array(found.values)]]
    }

    func adjusted(
        _ question: SumsQuestion, by strata: [PlayDimension],
        weights: [[GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]]
    ) throws -> [[GroupKey: ByMeasure<AdjustedSums>]] {
        let group = GroupKey([ByteText("g")])
        var sums = ByMeasure { _ in AdjustedSums() }
        for (sessions, isOwn) in [(own, true), (other, false)] {
            for session in sessions {
                for measure in Measure.allCases where measure != .data {
                    guard let (x, y) = session.sums.pair(measure),
                        let weight = weights[0][group]?[Self.key(session)]?[measure]
                    else { continue }
                    let events = weight.isComplement ? x - y : y
                    var (one, two) = (AdjustedSums.Pair(), AdjustedSums.Pair())
                    if isOwn {
                        (one.x, one.y, one.plain) = (weight.own * Double(x), Double(events), (x, events))
                    } else {
                        let factor = weight.other
                        (two.x, two.y, two.plain) = (
                            factor * weight.own * Double(x), factor * Double(events), (x, events)
                        )
                    }
                    sums[measure].add(one, two)
                }
            }
        }
        return [[group: sums]]
    }

    func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try body() }
    func hours(in hours: ClosedRange<Int64>?) throws -> [StoredHour] { [] }
    func sums(_ question: SumsQuestion) throws -> [PeriodSums] { [] }
    func deliveries(_ question: DeliveryQuestion) throws -> [[SenderSums]] { [] }
    func receipts(in hours: ClosedRange<Int64>?) throws -> ReceiptCounts { ReceiptCounts() }
    func marks() throws -> StoreMarks { StoreMarks(grow: false) }
    func play(arrival: Int64, hour: Int64) throws -> String? { nil }
    func report(number: Int64) throws -> String? { nil }
    func firstReceipt(afterReport number: Int64) throws -> Int64? { nil }
    func plays(byTag name: String, _ scope: PlayScope, in range: Range<Int64>?) throws -> [String: Int64] { [:] }
    func values(of dimension: PlayDimension, among wanted: [ByteText]?, most: Int) throws -> [ByteText] { [] }
    func counts(_ scope: PlayScope, in times: Range<Int64>?) throws -> [GroupKey: Int64] { [:] }
    func plays(_ question: PlaysQuestion) throws -> ChosenPlays { ChosenPlays(plays: [], total: 0) }
}
