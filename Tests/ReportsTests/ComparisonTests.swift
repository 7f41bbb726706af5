import Foundation
import Testing

@testable import Reports

@Suite("A comparison")
struct ComparisonTests {
    /// Sessions with so many failures each.
    private static func region(
        _ name: String, sessions: Int, playsEach: Int = 10, day: Int = 0, failures: (Int) -> Int
    ) -> [StoredPlay] {
        (0..<sessions).flatMap { session in
            (0..<playsEach).map { number in
                var play = StoredPlay(sessionId: "\(name)-\(day)-\(session)")
                play.cdnRegion = name
                play.startupMs = 400 + Int64(session * 7 % 50 + number * 30)
                play.watchedMs = 20_000 + Int64(session % 3)
                play.errorCode = number < failures(session) ? "timeout" : nil
                play.endedAt = 1_795_824_000_000 + Int64(day) * 86_400_000 + Int64(session)
                play.receivedAt = play.endedAt
                return play
            }
        }
    }

    private func comparisons(
        _ plays: [StoredPlay], _ request: ReportRequest = ReportRequest(),
        _ comparison: ComparisonRequest = ComparisonRequest(.rest), _ metric: ComparedMetric = .failed
    ) throws -> [String: Comparison] {
        let report = try PlayTable(plays).maker.comparison(comparison, request)
        var found: [String: Comparison] = [:]
        for comparison in report.periods.flatMap(\.comparisons) where comparison.metric == metric {
            found[comparison.names[0]] = comparison
        }
        return found
    }

    @Test("accuses the region that fails, and neither the others nor one of a few sessions")
    func verdicts() throws {
        let plays =
            Self.region("a", sessions: 60) { $0 % 20 == 0 ? 1 : 0 }
            + Self.region("b", sessions: 60) { $0 % 25 == 0 ? 1 : 0 }
            + Self.region("bad", sessions: 40) { $0 % 3 } + Self.region("few", sessions: 19) { $0 % 3 }
            + Self.region("lucky", sessions: 20) { _ in 0 }
        let found = try comparisons(plays)
        #expect(found["bad"]?.verdict == .worse)
        #expect(found["few"]?.verdict == .tooFewSessions)
        // Two hundred plays without a failure prove nothing where one play in thirty fails.
        #expect(found["lucky"]?.verdict != .better)
        #expect(found["a"]?.verdict != .worse)
        #expect(found["b"]?.verdict != .worse)
        #expect(found["(all)"] == nil)
    }

    @Test("says how many times as often the bad outcome is, of startup too")
    func ratio() throws {
        var plays = Self.region("slow", sessions: 60) { _ in 0 } + Self.region("fast", sessions: 60) { _ in 0 }
        for index in plays.indices {
            // As many in all, but not in each session.
            let isLate = index * 7 % 60 < (plays[index].cdnRegion == "slow" ? 12 : 6)
            plays[index].startupMs = isLate ? 2_000 : 300
        }
        let slow = try #require(try comparisons(plays, metric: .startupWithinTarget)["slow"])
        #expect(slow.value == 0.8)
        #expect(slow.reference == 0.9)
        #expect(abs((slow.ratio ?? 0) - 2) < 1e-12)
        #expect(slow.verdict == .worse)
    }

    @Test("takes the second of two groups for the first seen from the other side")
    func mirrored() throws {
        let plays =
            Self.region("bad", sessions: 40) { $0 % 3 } + Self.region("good", sessions: 40) { $0 % 20 == 0 ? 1 : 0 }
        let found = try comparisons(plays)
        #expect(found["bad"]?.verdict == .worse)
        #expect(found["good"]?.verdict == .better)
    }

    @Test("takes two groups that a limit leaves of three for no mirrors")
    func limited() throws {
        let plays =
            Self.region("bad", sessions: 60) { $0 % 3 } + Self.region("worse", sessions: 50) { $0 % 3 }
            + Self.region("good", sessions: 400, playsEach: 1) { _ in 0 }
        var request = ReportRequest()
        request.limit = 2
        let found = try comparisons(plays, request)
        #expect(Set(found.keys) == ["bad", "worse"])
        #expect(found["bad"]?.verdict == .worse)
        #expect(found["worse"]?.verdict == .worse)
    }

    @Test("by day sets each day against the one seven days before, and a day alone against the day before")
    func previous() throws {
        let plays =
            Self.region("a", sessions: 60, day: 0) { $0 % 20 == 0 ? 1 : 0 }
            + Self.region("a", sessions: 60, day: 6) { _ in 10 } + Self.region("a", sessions: 60, day: 7) { $0 % 4 }
        let day = try #require(CalendarDay("2026-12-05"))
        let week = try comparisons(
            plays, ReportRequest(days: .range(day, day), by: [.day, .cdnRegion]), ComparisonRequest(.previous))
        #expect(week["a"]?.verdict == .worse)
        #expect(week["a"]?.reference == 0.005)
        let before = try comparisons(plays, ReportRequest(days: .day(day)), ComparisonRequest(.previous))
        #expect(before["a"]?.reference == 1)
        #expect(before["a"]?.verdict == .better)
    }

    @Test("counts the sessions that played on both sides once, by their covariance")
    func covariance() throws {
        // The same sessions on both sides with the same share: nothing varies between the sides.
        let plays = (0..<40).flatMap { session in
            ["a", "b"].flatMap { region in
                (0..<10).map { number in
                    var play = StoredPlay(sessionId: "\(session)", cdnRegion: region, watchedMs: 10_000)
                    play.errorCode = number < session % 4 ? "timeout" : nil
                    (play.endedAt, play.receivedAt) = (1_795_824_000_000, 1_795_824_000_000)
                    return play
                }
            }
        }
        let a = try #require(try comparisons(plays)["a"])
        #expect(a.ratio == 1)
        #expect(a.p == 1)
        #expect(a.verdict == .noDifferenceShown)
    }

    @Test("corrects for everything that is looked at")
    func holm() {
        #expect(Holm.areShown([0.01, 0.04, 0.03, 0.005]) == [true, false, false, true])
        #expect(Holm.areShown([0.04]) == [true])
        #expect(Holm.areShown([0.02, 0.04]) == [true, true])
        #expect(Holm.areShown([0.026, 0.04]) == [false, false])
        #expect(Holm.areShown([]).isEmpty)
    }

    @Test("refuses a value that no play has ever had, in the table of a comparison and in an experiment")
    func unknownValue() throws {
        let maker = try PlayTable(Self.region("north", sessions: 3) { _ in 0 }).maker
        let request = ReportRequest(filters: [try PlayFilter("cdnRegion=nort")])
        let message = "no play has ever had the cdnRegion 'nort': did you mean 'north'?"
        #expect(throws: ReportRequestError(message)) { try maker.table(ComparisonRequest(.rest), request) }
        let day = try #require(CalendarDay("2026-11-28"))
        let experiment = try ExperimentRequest("cdnRegion=north", since: day)
        #expect(throws: ReportRequestError(message)) { try maker.experiment(request, experiment) }
        #expect(throws: ReportRequestError(message)) { try maker.changed(request) }
    }

    @Test("says what is missing when there is nothing to compare")
    func errors() throws {
        let maker = try PlayTable(RandomPlays.make(seed: 1, count: 20)).maker
        #expect(throws: ReportRequestError.self) {
            try maker.comparison(ComparisonRequest(.rest), ReportRequest(by: []))
        }
        #expect(throws: ReportRequestError.self) { try maker.comparison(ComparisonRequest(.previous), ReportRequest()) }
    }
}

extension ComparisonTests {
    private func comparisons(_ plays: [StoredPlay], metric: ComparedMetric) throws -> [String: Comparison] {
        try comparisons(plays, ReportRequest(), ComparisonRequest(.rest), metric)
    }
}

extension ReportMaker {
    fileprivate func comparison(_ comparison: ComparisonRequest, _ request: ReportRequest) throws -> ComparisonReport {
        try #require(try document([.summary], request, comparing: comparison).comparison)
    }
}
