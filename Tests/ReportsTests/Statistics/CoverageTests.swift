import Foundation
import TestSupport
import Testing

@testable import Reports

/// Sessions drawn from a world whose true figures are known, to see how often an interval holds the truth.
///
/// `Intervals.md` has the table of 2,000 samples a cell, and says why the heavy cells miss what they miss.
@Suite("A 95 % interval")
struct CoverageTests {
    struct Cell: Sendable, CustomTestStringConvertible {
        var sessions: Int
        /// Plays of a session in the mean.
        var plays = 16.0
        /// σ of the logarithms of startup, failures and stalls.
        var startup = 0.3
        var failures = 0.6
        var stalls = 0.8
        /// Of 8 % of sessions that are in trouble, with a hundred times the stalls; σ of the sizes of sessions.
        var isHeavy = false
        /// The least share of samples that hold the truth, in percent.
        var atLeast: [Figure: Double]

        var testDescription: String { "\(sessions) \(isHeavy ? "heavy" : "mild") sessions" }
    }

    enum Figure: String, Sendable, CaseIterable {
        case within, rebuffering, stalls, playsWithStall, failures, data, p50, p95
    }

    private static func all(_ share: Double, but others: [Figure: Double] = [:]) -> [Figure: Double] {
        var bounds: [Figure: Double] = [:]
        for figure in Figure.allCases { bounds[figure] = others[figure] ?? share }
        return bounds
    }

    static let cells = [
        Cell(sessions: 40, atLeast: all(94)), Cell(sessions: 100, atLeast: all(94)),
        Cell(sessions: 400, atLeast: all(94)),
        Cell(sessions: 400, startup: 0.5, failures: 1, stalls: 1.3, atLeast: all(93)),
        Cell(
            sessions: 50, stalls: 1.2, isHeavy: true,
            atLeast: all(92, but: [.data: 85, .rebuffering: 93, .stalls: 93])),
        Cell(
            sessions: 200, stalls: 1.2, isHeavy: true,
            atLeast: all(91, but: [.playsWithStall: 87, .data: 88, .rebuffering: 89, .stalls: 89])),
    ]

    /// Samples a cell: fewer than in a soak run, where their chance error would show.
    static let samples = ProcessInfo.processInfo.environment["QOE_SOAK"] == nil ? 300 : 2_000

    @Test("holds the true value in as many samples as the documentation says", arguments: cells)
    func coverage(_ cell: Cell) {
        var random = SeededGenerator(seed: 20_261_130)
        let world = SimulatedWorld(cell, sessions: 20_000, &random)
        var holds: [Figure: Int] = [:]
        for _ in 0..<Self.samples {
            let sample = (0..<cell.sessions).map { _ in Int(random.next() % UInt64(world.sessions.count)) }
            for (figure, isHeld) in world.check(sample) where isHeld { holds[figure, default: 0] += 1 }
        }
        // Three standard errors of a share of 95 %, where there are fewer samples.
        let slack = Self.samples >= 2_000 ? 0 : 300 * (0.95 * 0.05 / Double(Self.samples)).squareRoot()
        let shares = Figure.allCases.map { 100 * Double(holds[$0] ?? 0) / Double(Self.samples) }
        if Self.samples >= 2_000 { print(cell.testDescription, shares) }
        for (figure, share) in zip(Figure.allCases, shares) {
            #expect(share >= (cell.atLeast[figure] ?? 95) - slack, "\(figure.rawValue): \(share)")
        }
    }
}

/// A world of many sessions from which samples are drawn; its own figures are the truth.
private struct SimulatedWorld {
    struct Session {
        var startups: [Int] = []
        var sums = SessionSums()
    }

    private(set) var sessions: [Session] = []
    private var truth = SessionSums()
    private let p50: Int
    private let p95: Int

    init(_ cell: CoverageTests.Cell, sessions count: Int, _ random: inout SeededGenerator) {
        for _ in 0..<count {
            sessions.append(Self.session(cell, &random))
            truth += sessions[sessions.count - 1].sums
        }
        let startups = sessions.flatMap(\.startups).sorted()
        p50 = startups[(startups.count * 50 + 99) / 100 - 1]
        p95 = startups[(startups.count * 95 + 99) / 100 - 1]
    }

    private static func normal(_ random: inout SeededGenerator) -> Double {
        (-2 * log(random.uniform())).squareRoot() * cos(2 * .pi * random.uniform())
    }

    private static func session(_ cell: CoverageTests.Cell, _ random: inout SeededGenerator) -> Session {
        let startup = cell.startup * normal(&random)
        var failure = 0.02 * exp(cell.failures * normal(&random))
        var stall = 0.08 * exp(cell.stalls * normal(&random))
        // 1 + geometric.
        var plays = 1 + Int(log(random.uniform()) / log(1 - 1 / cell.plays))
        if cell.isHeavy {
            let isInTrouble = random.uniform() < 0.08
            stall = isInTrouble ? 0.3 : 0.003
            failure *= isInTrouble ? 5 : 1
            plays = max(1, Int(cell.plays * exp(1.2 * normal(&random) - 0.72)))
        }
        var session = Session()
        for _ in 0..<plays {
            let ms = min(9_999, Int(400 * exp(startup + 0.6 * normal(&random))))
            session.startups.append(ms)
            let stalls: Int64 = random.uniform() < stall ? 1 + Int64(random.next() % 2) : 0
            let watched = 1_000 + Int64(-20_000 * log(random.uniform()))
            session.sums.stalls += stalls
            session.sums.playsWithStall += stalls > 0 ? 1 : 0
            session.sums.stalledMs += stalls > 0 ? min(watched, Int64(-900 * log(random.uniform()))) : 0
            session.sums.watchedMs += watched
            session.sums.failed += random.uniform() < failure ? 1 : 0
            session.sums.withinTarget += ms <= 1_000 ? 1 : 0
            session.sums.bytes += Int128(watched * 250)
        }
        session.sums.plays = Int64(plays)
        session.sums.started = Int64(plays)
        session.sums.measured = Int64(plays)
        session.sums.weighed = Int64(plays)
        return session
    }

    /// For each figure whether its interval, from a sample's sessions, holds the truth.
    func check(_ sample: [Int]) -> [(CoverageTests.Figure, Bool)] {
        var ratios = ByMeasure { _ in RatioSums() }
        for index in sample {
            for measure in Measure.allCases {
                if let (x, y) = sessions[index].sums.pair(measure) { ratios[measure].add(x: x, y: y) }
            }
        }
        func holds(_ interval: Interval<Double>, _ events: Int64, _ base: Int64) -> Bool {
            let actual = Double(events) / Double(base)
            return (interval.low ?? -.infinity) <= actual && actual <= (interval.high ?? .infinity)
        }
        let data = ratios[.data].ratioInterval()
        return [
            (.within, holds(ratios[.withinTarget].shareInterval, truth.withinTarget, truth.plays)),
            (.failures, holds(ratios[.failed].shareInterval, truth.failed, truth.plays)),
            (.playsWithStall, holds(ratios[.playsWithStall].shareInterval, truth.playsWithStall, truth.plays)),
            (.rebuffering, holds(ratios[.rebuffering].ratioInterval(limit: 1), truth.stalledMs, truth.watchedMs)),
            (.stalls, holds(ratios[.stalls].ratioInterval(), truth.stalls, truth.watchedMs)),
            (.data, holds(data, Int64(truth.bytes), Int64(sessions.count))),
        ] + percentiles(sample)
    }

    private func percentiles(_ sample: [Int]) -> [(CoverageTests.Figure, Bool)] {
        var counts = [Int64](repeating: 0, count: 10_000)
        for index in sample { for ms in sessions[index].startups { counts[ms] += 1 } }
        let histogram = StartupHistogram(
            counts.indices.compactMap { counts[$0] > 0 ? .init(ms: Int64($0), plays: counts[$0]) : nil })
        return [(CoverageTests.Figure.p50, Int64(50), p50), (.p95, 95, p95)].map { figure, percent, truth in
            let found = Int(histogram.percentile(percent) ?? 0)
            var sums = RatioSums()
            for index in sample {
                let startups = sessions[index].startups
                sums.add(x: Int64(startups.count), y: Int64(startups.count { $0 <= found }))
            }
            let ranks = sums.percentileRanks(percent)
            let (low, high) = (ranks.low.flatMap(histogram.value(at:)), ranks.high.flatMap(histogram.value(at:)))
            return (figure, low ?? 0 <= truth && Int64(truth) <= high ?? .max)
        }
    }
}
