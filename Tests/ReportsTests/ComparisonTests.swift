import Foundation
import Testing

@testable import Reports

@Suite("A comparison")
struct ComparisonTests {
    private static let day = CalendarDay("2026-11-28") ?? CalendarDay(number: 0)

    // MARK: Against sums of what is left

    /// The ratio of sums over plays.
    private static func ratio(_ plays: [StoredPlay], _ metric: ComparedMetric) -> Double {
        func sum(_ value: (StoredPlay) -> Int64) -> Double { Double(plays.reduce(0) { $0 + value($1) }) }
        func started(_ value: @escaping (StoredPlay) -> Int64) -> (StoredPlay) -> Int64 {
            { $0.isStarted ? value($0) : 0 }
        }
        switch metric {
        case .startupWithinTarget:
            return sum { $0.startupMs ?? 9_999 <= 1_000 ? 1 : 0 } / sum { $0.startupMs == nil ? 0 : 1 }
        case .rebuffering: return sum(started(\.stalledMs)) / sum(started(\.watchedMs))
        case .stallsPerHour: return sum(started(\.stalls)) / sum(started(\.watchedMs)) * 3_600_000
        case .playsWithStall: return sum(started { $0.stalls > 0 ? 1 : 0 }) / sum(started { _ in 1 })
        case .failed: return sum { $0.errorCode == nil ? 0 : 1 } / sum { _ in 1 }
        case .startupP50, .startupP95: return 0
        }
    }

    /// The standard error of a difference by really leaving out one session after the other.
    private static func jackknife(_ one: [StoredPlay], _ other: [StoredPlay], _ metric: ComparedMetric) -> Double {
        let difference = ratio(one, metric) - ratio(other, metric)
        func counts(_ play: StoredPlay) -> Bool {
            switch metric {
            case .startupWithinTarget: play.startupMs != nil
            case .failed: true
            default: play.isStarted
            }
        }
        func cluster(_ play: StoredPlay) -> String { play.sessionId ?? "play \(play.playId)" }
        let clusters = Set((one + other).filter(counts).map(cluster))
        let squares = clusters.map { left in
            let rest =
                ratio(one.filter { cluster($0) != left }, metric) - ratio(other.filter { cluster($0) != left }, metric)
            return pow(rest - difference, 2)
        }
        return (Double(clusters.count - 1) / Double(clusters.count) * squares.reduce(0, +)).squareRoot()
    }

    private func check(_ comparisons: [Comparison], _ group: String, _ one: [StoredPlay], _ other: [StoredPlay]) {
        for comparison in comparisons where comparison.names == [group] && comparison.metric.isJudged {
            let metric = comparison.metric
            #expect(abs((comparison.value ?? 0) - Self.ratio(one, metric)) < 1e-9)
            #expect(abs((comparison.reference ?? 0) - Self.ratio(other, metric)) < 1e-9)
            guard let low = comparison.interval.low, let high = comparison.interval.high else { continue }
            // Half the width is t·s; a t between the normal quantile and that of four degrees of freedom.
            let error = Self.jackknife(one, other, metric)
            #expect((1.9599...2.7765).contains((high - low) / 2 / error), "\(group), \(metric)")
            #expect(abs((high + low) / 2 - (Self.ratio(one, metric) - Self.ratio(other, metric))) < 1e-6)
        }
    }

    @Test("against the rest counts the sessions that a group shares with it")
    func rest() throws {
        let plays = RandomPlays.make(seed: 5, count: 600).filter { $0.source != "download" }
        let report = try PlayTable(plays).maker.comparison(.rest, ReportRequest())
        let comparisons = try #require(report.periods.first).comparisons
        for group in ["eu-west", "us-east"] {
            check(
                comparisons, group, plays.filter { $0.cdnRegion == group }, plays.filter { $0.cdnRegion != group })
        }
        #expect(!comparisons.contains { $0.names == ["(all)"] })
    }

    @Test("against the day before counts the sessions that played on both")
    func previous() throws {
        let plays = RandomPlays.make(seed: 6, count: 900).filter { $0.source != "download" }
        let report = try PlayTable(plays).maker.comparison(
            .previous, ReportRequest(days: .day(Self.day), by: [.network]))
        let period = try #require(report.periods.first)
        #expect(period.name == "2026-11-28")
        func on(_ day: CalendarDay) -> [StoredPlay] { plays.filter { Int($0.endedAt / 86_400_000) == day.number } }
        let (today, before) = (on(Self.day), on(Self.day.advanced(by: -1)))
        check(period.comparisons, "(all)", today, before)
        check(period.comparisons, "wifi", today.filter { $0.network == "wifi" }, before.filter { $0.network == "wifi" })
    }

    // MARK: Verdicts

    /// Sessions with so many failures each.
    private static func region(
        _ name: String, sessions: Int, playsEach: Int = 10, failures: (Int) -> Int
    ) -> [StoredPlay] {
        (0..<sessions).flatMap { session in
            (0..<playsEach).map { number in
                var play = StoredPlay(playId: "\(name)-\(session)-\(number)", sessionId: "\(name)-\(session)")
                play.cdnRegion = name
                play.startupMs = 400 + Int64(session * 7 % 50 + number * 30)
                play.watchedMs = 20_000 + Int64(session % 3)
                play.errorCode = number < failures(session) ? "timeout" : nil
                play.endedAt = 1_795_824_000_000 + Int64(session)
                play.receivedAt = play.endedAt
                return play
            }
        }
    }

    private func verdicts(_ plays: [StoredPlay]) throws -> [String: ComparisonVerdict] {
        var numbered = plays
        for index in numbered.indices { numbered[index].arrival = Int64(index + 1) }
        let report = try PlayTable(numbered).maker.comparison(.rest, ReportRequest())
        var verdicts: [String: ComparisonVerdict] = [:]
        for comparison in report.periods.flatMap(\.comparisons) where comparison.metric == .failed {
            verdicts[comparison.names[0]] = comparison.verdict
        }
        return verdicts
    }

    @Test("accuses the region that fails, and neither the others nor one of forty plays")
    func verdicts() throws {
        let plays =
            Self.region("a", sessions: 60) { $0 % 20 == 0 ? 1 : 0 }
            + Self.region("b", sessions: 60) { $0 % 25 == 0 ? 1 : 0 }
            + Self.region("bad", sessions: 40) { $0 % 3 } + Self.region("forty", sessions: 40, playsEach: 1) { $0 % 3 }
            + Self.region("few", sessions: 19) { $0 % 3 } + Self.region("lucky", sessions: 20) { _ in 0 }
        let verdicts = try verdicts(plays)
        #expect(verdicts["bad"] == .worse)
        #expect(verdicts["forty"] == .tooFewPlays)
        #expect(verdicts["few"] == .tooFewPlays)
        // Two hundred plays without a failure prove nothing where one play in thirty fails.
        #expect(verdicts["lucky"] == .noDifferenceShown)
        #expect(verdicts["a"] != .worse)
        #expect(verdicts["b"] != .worse)
    }

    @Test("corrects for the number of groups looked at")
    func holm() {
        #expect(Holm.areShown([0.01, 0.04, 0.03, 0.005]) == [true, false, false, true])
        #expect(Holm.areShown([0.04]) == [true])
        #expect(Holm.areShown([0.02, 0.04]) == [true, true])
        #expect(Holm.areShown([0.026, 0.04]) == [false, false])
        #expect(Holm.areShown([]).isEmpty)
    }

    @Test("says what is missing when there is nothing to compare")
    func errors() throws {
        let maker = try PlayTable(RandomPlays.make(seed: 1, count: 20)).maker
        #expect(throws: ReportRequestError.self) { try maker.comparison(.rest, ReportRequest(by: [])) }
        #expect(throws: ReportRequestError.self) { try maker.comparison(.previous, ReportRequest()) }
    }

    @Test("has the columns of compare.csv")
    func table() throws {
        let table = try PlayTable(RandomPlays.make(seed: 5, count: 60)).maker.comparison(.rest, ReportRequest()).table()
        let csv = CSVRenderer.render(table)
        #expect(
            csv.hasPrefix(
                "period,cdn_region,metric,value,reference,difference,difference_low,difference_high,ratio,verdict,definitions\r\n"
            ))
        #expect(csv.contains(",startup_p50_ms,"))
    }
}

extension ReportMaker {
    fileprivate func comparison(_ reference: ComparisonReference, _ request: ReportRequest) throws -> ComparisonReport {
        try #require(try document([.summary], request, comparing: reference).comparison)
    }
}
