import Testing

@testable import Reports

@Suite("Service levels")
struct ServiceLevelTests {
    @Test("are read line by line, without comments")
    func parse() throws {
        let levels = try ServiceLevel.parse(
            """
            # What we promise
            startup_p95_ms < 1000 by cdnRegion where network=wifi and cdn!=fast ly  # first frame
            \r
            rebuffer_ratio < 0.005\r
            plays > 1e2 by cdnRegion, network
            """)
        #expect(levels.map(\.line) == [2, 4, 5])
        #expect(levels[0].dimensions == [.cdnRegion])
        #expect(levels[0].filters == [PlayFilter(.network, "wifi"), PlayFilter(.cdn, "fast ly", isNegated: true)])
        #expect(levels[1].limit == 0.005)
        #expect(levels[2].isBelow == false)
        #expect(levels[2].dimensions == [.cdnRegion, .network])
    }

    @Test("are read after a byte order mark, and with a # in the middle of a value")
    func marks() throws {
        let levels = try ServiceLevel.parse("\u{FEFF}plays > 1 where cdnRegion=a#b and cdn=stand by me #c")
        #expect(levels[0].filters == [PlayFilter(.cdnRegion, "a#b"), PlayFilter(.cdn, "stand by me")])
    }

    @Test(
        "say which line is wrong, and what would be right",
        arguments: [
            ("startup_p96_ms < 1", "line 1: no column 'startup_p96_ms': did you mean 'startup_p95_ms'?"),
            (
                "plays > 0\nplays = 3",
                "line 2: 'plays = 3' is no service level: COLUMN < NUMBER or COLUMN > NUMBER, "
                    + "then 'by DIM,…' and 'where DIM=VALUE and …' if wanted"
            ),
            ("plays > 0 for cdn", "line 1: 'for' after the number: 'by DIM,…' or 'where DIM=VALUE' stands there"),
            (
                "plays > 0 by region", "line 1: unknown dimension 'region': did you mean 'cdnRegion'?"
            ),
            ("plays > 0 by", "line 1: no dimension after 'by'"),
            ("plays > 0 where network=wifi by cdn, cdnRegion", "line 1: 'by cdn, cdnRegion' stands before 'where'"),
            ("plays > 0 where", "line 1: '' chooses no plays: DIM=VALUE or DIM!=VALUE, such as network=wifi"),
        ])
    func errors(_ text: String, _ message: String) {
        let error = #expect(throws: ReportRequestError.self) { try ServiceLevel.parse(text) }
        #expect(error?.description == message)
    }

    @Test("are broken only when the whole interval is on the wrong side")
    func outcomes() throws {
        let store = try CaseStore("intervals-by-hand")
        // In eu-west the p50 is 550 ms with an interval from 320 to 900, the p95 1,200 ms from 800 to an unknown end.
        func outcome(_ level: String) throws -> ServiceLevelResult.Outcome {
            let levels = try ServiceLevel.parse(level + " by cdnRegion where cdnRegion=eu-west")
            let results = try store.maker.check(levels, ReportRequest(by: []))
            #expect(results.count == 1)
            return results[0].outcome
        }
        #expect(try outcome("startup_p50_ms < 551") == .kept)
        #expect(try outcome("startup_p50_ms < 550") == .uncertain)
        #expect(try outcome("startup_p50_ms < 321") == .uncertain)
        #expect(try outcome("startup_p50_ms < 320") == .broken)
        #expect(try outcome("startup_p50_ms > 899") == .uncertain)
        #expect(try outcome("startup_p50_ms > 900") == .broken)
        #expect(try outcome("startup_p95_ms > 5000") == .uncertain)
        #expect(try outcome("plays > 20") == .broken)
        #expect(try outcome("memory_p50_bytes < 1") == .noPlays)
        #expect(try outcome("rebuffer_ratio < 0.0117") == .broken)
    }

    @Test("say in one line what was broken where")
    func description() throws {
        let store = try CaseStore("intervals-by-hand")
        let levels = try ServiceLevel.parse("startup_p50_ms < 300 by cdnRegion")
        let broken = try store.maker.check(levels, ReportRequest(by: [.day])).filter { $0.outcome == .broken }
        #expect(
            broken.map { "\($0)" } == [
                "broken: startup_p50_ms < 300 by cdnRegion (2026-11-29, eu-west): startup_p50_ms is 550, "
                    + "95 % interval 320 to 900"
            ])
    }

    @Test("say that there was nothing to judge, and that no plays are fewer than some")
    func withoutPlays() throws {
        let store = try CaseStore("intervals-by-hand")
        let levels = try ServiceLevel.parse(
            """
            plays > 0
            failure_ratio < 0.01
            plays > 0 by cdnRegion
            """)
        let day = try #require(CalendarDay("2020-01-01"))
        #expect(
            try store.maker.check(levels, ReportRequest(days: .day(day), by: [])).map { "\($0)" } == [
                "broken: plays > 0 (2020-01-01): plays is 0",
                "no plays: failure_ratio < 0.01 (2020-01-01)",
                "no plays: plays > 0 by cdnRegion (2020-01-01)",
            ])
        let nowhere = try ServiceLevel.parse("sessions > 0 where cdn=nowhere")
        #expect(
            try store.maker.check(nowhere, ReportRequest(by: [])).map { "\($0)" } == [
                "broken: sessions > 0 where cdn=nowhere (all days): sessions is 0"
            ])
    }
}
