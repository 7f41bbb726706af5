import Foundation
import Testing

@testable import Reports

/// Sessions drawn from a world whose true figures are known, to see how often an interval holds the truth.
@Suite("A 95 % interval")
struct CoverageTests {
    /// How many sessions a sample has, and how much sessions differ: σ of the logarithms of startup, failures and stalls.
    struct Cell: Sendable, CustomTestStringConvertible {
        var sessions: Int
        var startup: Double
        var failures: Double
        var stalls: Double

        var testDescription: String { "\(sessions) sessions, \(startup) \(failures) \(stalls)" }
    }

    static let cells =
        [40, 100, 400].map { Cell(sessions: $0, startup: 0.3, failures: 0.6, stalls: 0.8) }
        + [Cell(sessions: 400, startup: 0.5, failures: 1, stalls: 1.3)]

    /// Samples a cell: fewer than in a soak run, where their chance error would show.
    static let samples = ProcessInfo.processInfo.environment["QOE_SOAK"] == nil ? 400 : 2_000

    @Test("holds the true value in about 95 % of samples", arguments: cells)
    func coverage(_ cell: Cell) {
        var random = SplitMix(seed: 20_261_130)
        let world = SimulatedWorld(cell, sessions: 20_000, &random)
        var holds: [String: Int] = [:]
        for _ in 0..<Self.samples {
            let sample = (0..<cell.sessions).map { _ in Int(random.next() % UInt64(world.sessions.count)) }
            for (name, isHeld) in world.check(sample) where isHeld { holds[name, default: 0] += 1 }
        }
        // Three standard errors of a share of 95 %, where there are fewer samples.
        let slack = Self.samples >= 2_000 ? 0 : 3 * (0.95 * 0.05 / Double(Self.samples)).squareRoot() - 0.015
        for name in ["within target", "rebuffering", "stalls", "plays with a stall", "failures", "data"] {
            let share = Double(holds[name] ?? 0) / Double(Self.samples)
            #expect((0.92 - slack...min(1, 0.98 + slack)).contains(share), "\(name): \(share)")
        }
        for name in ["p50", "p95"] {
            let share = Double(holds[name] ?? 0) / Double(Self.samples)
            #expect(share >= 0.94 - slack, "\(name): \(share)")
        }
    }
}

/// A world of many sessions from which samples are drawn; its own figures are the truth.
private struct SimulatedWorld {
    struct Session {
        var startups: [Int] = []
        var sums = ClusterSums()
    }

    private(set) var sessions: [Session] = []
    private var truth = ClusterSums()
    private let p50: Int
    private let p95: Int

    init(_ cell: CoverageTests.Cell, sessions count: Int, _ random: inout SplitMix) {
        for _ in 0..<count {
            sessions.append(Self.session(cell, &random))
            truth.add(sessions[sessions.count - 1].sums)
        }
        let startups = sessions.flatMap(\.startups).sorted()
        p50 = startups[(startups.count * 50 + 99) / 100 - 1]
        p95 = startups[(startups.count * 95 + 99) / 100 - 1]
    }

    private static func normal(_ random: inout SplitMix) -> Double {
        (-2 * log(random.uniform())).squareRoot() * cos(2 * .pi * random.uniform())
    }

    private static func session(_ cell: CoverageTests.Cell, _ random: inout SplitMix) -> Session {
        let startup = cell.startup * normal(&random)
        let failure = 0.02 * exp(cell.failures * normal(&random))
        let stall = 0.08 * exp(cell.stalls * normal(&random))
        // 1 + geometric with a mean of 15.
        let plays = 1 + Int(log(random.uniform()) / log(15.0 / 16))
        var session = Session()
        for _ in 0..<plays {
            let ms = min(9_999, Int(400 * exp(startup + 0.6 * normal(&random))))
            session.startups.append(ms)
            let stalls: Int64 = random.uniform() < stall ? 1 + Int64(random.next() % 2) : 0
            let watched = 1_000 + Int64(-20_000 * log(random.uniform()))
            session.sums.stalls += stalls
            session.sums.stalledPlays += stalls > 0 ? 1 : 0
            session.sums.stalledMs += stalls > 0 ? min(watched, Int64(-900 * log(random.uniform()))) : 0
            session.sums.watchedMs += watched
            session.sums.failed += random.uniform() < failure ? 1 : 0
            session.sums.withinTarget += ms <= 1_000 ? 1 : 0
            session.sums.bytes += Int128(watched * 250)
        }
        session.sums.plays = Int64(plays)
        return session
    }

    /// For each figure whether its interval, from a sample's sessions, holds the truth.
    func check(_ sample: [Int]) -> [(String, Bool)] {
        var totals = ClusterSums()
        for index in sample { totals.add(sessions[index].sums) }
        func spread(
            _ x: (ClusterSums) -> Int64, _ y: (ClusterSums) -> Int128
        ) -> ClusterSpread {
            var spread = ClusterSpread(x: x(totals), y: y(totals))
            for index in sample { spread.add(x: x(sessions[index].sums), y: y(sessions[index].sums)) }
            return spread
        }
        func holds(_ interval: Interval<Double>, _ true: Double) -> Bool {
            (interval.low ?? -.infinity) <= `true` && `true` <= (interval.high ?? .infinity)
        }
        let plays = Double(truth.plays)
        let within = spread(\.plays) { Int128($0.withinTarget) }
        let failed = spread(\.plays) { Int128($0.failed) }
        let stalled = spread(\.plays) { Int128($0.stalledPlays) }
        let rebuffering = spread(\.watchedMs) { Int128($0.stalledMs) }
        let stalls = spread(\.watchedMs) { Int128($0.stalls) }
        var data = ClusterSpread(x: Int64(sample.count), y: totals.bytes)
        for index in sample { data.add(x: 1, y: sessions[index].sums.bytes) }
        let watched = Double(truth.watchedMs)
        return [
            ("within target", holds(within.shareInterval, Double(truth.withinTarget) / plays)),
            ("failures", holds(failed.shareInterval, Double(truth.failed) / plays)),
            ("plays with a stall", holds(stalled.shareInterval, Double(truth.stalledPlays) / plays)),
            ("rebuffering", holds(rebuffering.ratioInterval(limit: 1), Double(truth.stalledMs) / watched)),
            ("stalls", holds(stalls.ratioInterval(), Double(truth.stalls) / watched)),
            ("data", holds(data.ratioInterval(), Double(truth.bytes) / Double(sessions.count))),
        ] + percentiles(sample, totals.plays)
    }

    private func percentiles(_ sample: [Int], _ plays: Int64) -> [(String, Bool)] {
        var counts = [Int](repeating: 0, count: 10_000)
        for index in sample { for ms in sessions[index].startups { counts[ms] += 1 } }
        func value(_ place: Int64) -> Int {
            var passed = 0
            for ms in counts.indices {
                passed += counts[ms]
                if passed >= place { return ms }
            }
            return .max
        }
        return [(Int64(50), p50), (95, p95)].map { percent, truth in
            let found = value((plays * percent + 99) / 100)
            let below = sample.map { index in Int64(sessions[index].startups.count { $0 <= found }) }
            var spread = ClusterSpread(x: plays, y: Int128(below.reduce(0, +)))
            for (index, below) in zip(sample, below) { spread.add(x: sessions[index].sums.plays, y: Int128(below)) }
            let places = spread.percentilePlaces(percent)
            let isHeld = places.low.map(value) ?? 0 <= truth && truth <= places.high.map(value) ?? .max
            return ("p\(percent)", isHeld)
        }
    }
}
