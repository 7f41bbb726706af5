import Foundation
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
        #expect(levels.map(\.name) == ["level-2", "level-4", "level-5"])
        #expect(levels[1].limit == 0.005)
        #expect(levels[2].relation == .above)
        #expect(levels[2].dimensions == [.cdnRegion, .network])
    }

    @Test("are read after a byte order mark, and with a # in the middle of a value")
    func marks() throws {
        let levels = try ServiceLevel.parse("\u{FEFF}plays > 1 where cdnRegion=a#b and cdn=stand by me #c")
        #expect(levels[0].filters == [PlayFilter(.cdnRegion, "a#b"), PlayFilter(.cdn, "stand by me")])
    }

    @Test(
        "take a value in double quotes as it stands, whatever is in it",
        arguments: [
            (#"where deviceModel="foo #2""#, ["foo #2"]), (#"where deviceModel="foo #2" #3"#, ["foo #2"]),
            (#"where deviceModel="salt and pepper" and cdn="a""#, ["salt and pepper", "a"]),
            (#"where deviceModel="a"  cdn!=b cdnRegion=c"#, ["a", "b", "c"]),
            (#"where deviceModel="7"" by cdn""#, [#"7" by cdn"#]), (#"where deviceModel="""a""""#, [#""a""#]),
            (#"where deviceModel=7"x" y"#, [#"7"x" y"#]), (#"where deviceModel=a="b c=d"#, [#"a="b"#, "d"]),
            (#"where deviceModel="and" and cdn="  two  blanks""#, ["and", "  two  blanks"]),
            ("where deviceModel=foo #2", ["foo"]), ("where deviceModel=foo#2 x", ["foo#2 x"]),
        ])
    func quotes(_ clause: String, _ values: [String]) throws {
        let text = clause.replacing("c=d", with: "cdn=d")
        let levels = try ServiceLevel.parse("plays > 1 \(text)\n# \"\n#\" plays\nplays > 2")
        #expect(levels.map(\.line) == [1, 4])
        #expect(levels[0].filters.map(\.value) == values)
    }

    @Test("say over how much time they are judged, and how long they may be broken before anybody is told")
    func spans() throws {
        let levels = try ServiceLevel.parse(
            """
            failure_ratio < 1 % by cdn where network="over 1h" over 15m for 10m # by pager
            plays > 0 over 7d
            plays > 0 where cdn=stand over night for 5m
            plays > 0 where cdn=a,"b c"
            """)
        #expect(levels.map { $0.window?.milliseconds } == [900_000, 604_800_000, nil, nil])
        #expect(levels.map { $0.patience?.milliseconds } == [600_000, nil, 300_000, nil])
        #expect(levels[0].limit == 0.01)
        #expect(levels[0].filters == [PlayFilter(.network, "over 1h")])
        #expect(levels[2].filters == [try PlayFilter("cdn=stand over night")])
        #expect(levels[3].filters[0].alternatives == ["a", "b c"])
    }

    @Test("have a name, a limit that may itself be good, and a percentage of a ratio")
    func names() throws {
        let levels = try ServiceLevel.parse(
            """
            failures: failure_ratio <= 0.7%  # of all plays
            plays >= 12 by cdn where network="wifi"
            """)
        #expect(levels.map(\.name) == ["failures", "level-2"])
        #expect(levels.map(\.relation) == [.atMost, .atLeast])
        #expect(levels.map(\.limit) == [0.007, 12])
        #expect(levels[0].text == "failures: failure_ratio <= 0.7%")
        #expect(levels[1].text == #"plays >= 12 by cdn where network="wifi""#)
    }

    @Test(
        "say which line is wrong, and what would be right",
        arguments: [
            ("startup_p96_ms < 1", "line 1: no column 'startup_p96_ms': did you mean 'startup_p95_ms'?"),
            (
                "plays > 0\nplays = 3",
                "line 2: 'plays = 3' is no service level: [NAME:] COLUMN <|<=|>|>= NUMBER[%], "
                    + "then 'by DIM,…', 'where DIM=VALUE and …', 'over 1h' and 'for 10m' if wanted"
            ),
            (
                "plays > 0 for cdn",
                "line 1: after 'for' \"cdn\" should be so many minutes, hours or days: 15m, 6h, 7d"
            ),
            (
                "plays > 0 for 10m over 1h",
                "line 1: 'for' after the number: 'by DIM,…', 'where DIM=VALUE', 'over 1h' and 'for 10m' stand there, in "
                    + "this order"
            ),
            (
                "plays > 0 by region", "line 1: unknown dimension 'region': did you mean 'cdnRegion'?"
            ),
            ("plays > 0 by", "line 1: no dimension after 'by'"),
            ("plays > 0 where network=wifi by cdn, cdnRegion", "line 1: 'by cdn, cdnRegion' stands before 'where'"),
            (
                #"plays > 0 where cdn="a" b"#, "line 1: 'b' after a value in quotes: 'and' or DIM=VALUE stands there"
            ),
            (#"plays > 0 where cdn="a #2"#, "line 1: the quote after 'cdn=' is not closed"),
            (
                #"plays > 0 where cdn="a"b"#,
                "line 1: a blank follows a value in quotes, not 'b'; a quote inside a value is written twice"
            ),
            ("plays < 5%", "line 1: '5%': a percentage is a limit of ratios alone, and plays is none"),
            ("a: plays > 0\na: plays > 1", "line 2: 'a' is the name of the level in line 1, too"),
            ("level-2: plays > 0\nplays > 1", "line 2: 'level-2' is the name of the level in line 1, too"),
            (": plays > 0", "line 1: no name before ':': NAME: COLUMN < NUMBER"),
            ("plays < 5 %", "line 1: '5%': a percentage is a limit of ratios alone, and plays is none"),
            (
                "plays > 0 where cdn=a cdnRegoin=eu",
                "line 1: unknown dimension 'cdnRegoin': did you mean 'cdnRegion'?"
            ),
            ("plays > 0 where", "line 1: '' chooses no plays: DIM=VALUE or DIM!=VALUE, such as network=wifi"),
        ])
    func errors(_ text: String, _ message: String) {
        let error = #expect(throws: ReportRequestError.self) { try ServiceLevel.parse(text) }
        #expect(error?.description == message)
    }

    @Test("are broken only when the whole interval is on the wrong side")
    func outcomes() throws {
        let store = try CaseStore("intervals-by-hand")
        // In eu-west the p50 is 550 ms with an interval from 350 to 850, the p95 1,200 ms from 850 to an unknown end.
        func outcome(_ level: String) throws -> ServiceLevelResult.Outcome {
            let levels = try ServiceLevel.parse(level + " by cdnRegion where cdnRegion=eu-west")
            let results = try store.maker.check(levels, ReportRequest(by: []))
            #expect(results.count == 1)
            return results[0].outcome
        }
        #expect(try outcome("startup_p50_ms < 851") == .kept)
        #expect(try outcome("startup_p50_ms < 551") == .uncertain)
        #expect(try outcome("startup_p50_ms < 550") == .uncertain)
        #expect(try outcome("startup_p50_ms < 351") == .uncertain)
        #expect(try outcome("startup_p50_ms < 350") == .broken)
        #expect(try outcome("startup_p50_ms > 849") == .uncertain)
        #expect(try outcome("startup_p50_ms > 850") == .broken)
        #expect(try outcome("startup_p50_ms <= 850") == .kept)
        #expect(try outcome("startup_p50_ms >= 350") == .kept)
        #expect(try outcome("startup_p95_ms < 9999") == .uncertain)
        #expect(try outcome("startup_p50_ms <= 350") == .uncertain)
        #expect(try outcome("startup_p50_ms <= 349") == .broken)
        #expect(try outcome("startup_p50_ms >= 850") == .uncertain)
        #expect(try outcome("startup_p50_ms >= 851") == .broken)
        #expect(try outcome("startup_p95_ms > 5000") == .uncertain)
        #expect(try outcome("plays > 20") == .broken)
        #expect(try outcome("memory_p50_bytes < 1") == .noPlays)
        #expect(try outcome("rebuffer_ratio < 0.0084") == .broken)
        #expect(try outcome("rebuffer_ratio < 0.84%") == .broken)
    }

    @Test("say in one line what was broken where")
    func description() throws {
        let store = try CaseStore("intervals-by-hand")
        let levels = try ServiceLevel.parse("startup_p50_ms < 300 by cdnRegion")
        let broken = try store.maker.check(levels, ReportRequest(by: [.day])).filter { $0.outcome == .broken }
        #expect(
            broken.map { "\($0)" } == [
                "broken: startup_p50_ms < 300 by cdnRegion (2026-11-29, eu-west): startup_p50_ms is 550, "
                    + "95 % interval 350 to 850"
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
        let results = try store.maker.check(levels, ReportRequest(days: .day(day), by: []))
        #expect(
            results.map { "\($0)" } == [
                "broken: plays > 0 (2020-01-01): plays is 0",
                "no plays: failure_ratio < 0.01 (2020-01-01)",
                "no plays: plays > 0 by cdnRegion (2020-01-01)",
            ])
        #expect(results.map { $0.isFailure(allowsEmpty: false) } == [true, true, true])
        #expect(results.map { $0.isFailure(allowsEmpty: true) } == [true, false, false])
    }

    @Test("name a value that no play has ever had, and the nearest that one had")
    func neverOccurred() throws {
        let store = try CaseStore("intervals-by-hand")
        let levels = try ServiceLevel.parse(
            "failure_ratio < 1% where cdnRegion=eu-wets\nsessions > 0 where cdnRegion=eu-west")
        let results = try store.maker.check(levels, ReportRequest(by: []))
        #expect(
            "\(results[0])".hasPrefix(
                "no plays: failure_ratio < 1% where cdnRegion=eu-wets (all days): "
                    + "no play has ever had the cdnRegion 'eu-wets': did you mean 'eu-west'"))
        #expect(results[0].isFailure(allowsEmpty: false))
        #expect(results[1].outcome == .kept)
    }

    @Test("miss a group that had plays in the seven days before and has none")
    func vanished() throws {
        let day: Int64 = 86_400_000
        let end = try #require(Moment("2026-11-30T00:00Z")).milliseconds
        var plays = [
            StoredPlay(cdnRegion: "eu", endedAt: end - 5), StoredPlay(cdnRegion: "us", endedAt: end - 3 * day),
        ]
        plays.append(StoredPlay(cdnRegion: "us", network: "wifi", endedAt: end - 2 * day))
        plays.append(StoredPlay(cdnRegion: "long ago", endedAt: end - 8 * day - 1))
        plays.append(StoredPlay(cdnRegion: "away", endedAt: end - 2 * day, source: "download"))
        let maker = try PlayTable(plays).maker
        let levels = try ServiceLevel.parse("plays > 0 by cdnRegion\nplays > 0 by cdnRegion where network=wifi")
        let last = try #require(CalendarDay("2026-11-29"))
        #expect(
            try maker.check(levels, ReportRequest(days: .day(last), by: [])).map { "\($0)" } == [
                "kept: plays > 0 by cdnRegion (2026-11-29, eu): plays is 1",
                "no plays: plays > 0 by cdnRegion (2026-11-29, us): 2 plays in the seven days before, none in this time",
                "no plays: plays > 0 by cdnRegion where network=wifi (2026-11-29)",
            ])
    }

    @Test("miss no group where groups stand together in one row, which may be any of them")
    func together() throws {
        let day: Int64 = 86_400_000
        let end = try #require(Moment("2026-11-30T00:00Z")).milliseconds
        let plays = ["a", "b", "c", "d"].flatMap { region in
            [StoredPlay(cdnRegion: region, endedAt: end - 5), StoredPlay(cdnRegion: region, endedAt: end - 2 * day)]
        }
        var limits = ReportLimits()
        limits.named = 2
        let maker = ReportMaker(store: try PlayTable(plays).store, limits: limits)
        let last = try #require(CalendarDay("2026-11-29"))
        let results = try maker.check(
            ServiceLevel.parse("plays > 0 by cdnRegion"), ReportRequest(days: .day(last), by: []))
        #expect(results.map(\.outcome) == [.kept, .kept, .kept])
        #expect(results.map { $0.names[0] } == ["a", "b", "(other)"])
    }

    @Test("of whoever looks again and again count missed groups once an hour, each with its plays before")
    func looks() throws {
        let noon = try #require(Moment("2026-11-29T12:00Z")).milliseconds
        let hour: Int64 = 3_600_000
        let plays = [
            StoredPlay(cdnRegion: "eu", endedAt: noon), StoredPlay(cdnRegion: "us", endedAt: noon - 30 * hour),
            StoredPlay(cdnRegion: "us", endedAt: noon - 40 * hour),
        ]
        let maker = try PlayTable(plays).maker
        let levels = try ServiceLevel.parse("plays > 0 by cdnRegion")
        var earlier = EarlierGroups()
        func look(at end: Int64, _ levels: [ServiceLevel]) throws -> [String] {
            let request = ReportRequest(days: .window(end - hour..<end), by: [])
            return try maker.check(levels, request, earlier: &earlier).map {
                "\($0.outcome) \($0.group) \($0.playsBefore)"
            }
        }
        let missed = #"noPlays {"cdn_region": "us"} 2"#
        #expect(try look(at: noon + 60_000, levels) == [#"kept {"cdn_region": "eu"} 0"#, missed])
        // Without a play in the window each group is missed all the same, and all plays together are.
        let later = noon + 2 * hour
        #expect(
            try look(at: later, levels) == ["noPlays {} 0", missed, #"noPlays {"cdn_region": "eu"} 1"#])
        #expect(try look(at: later, ServiceLevel.parse("failure_ratio < 1%")) == ["noPlays {} 3"])
        earlier.forgetUnused()
        #expect(try look(at: later, levels).count == 3)
    }

    @Test("lead to the page of the plays that were judged")
    func links() throws {
        let noon = try #require(Moment("2026-11-29T12:00Z")).milliseconds
        let device = "iPhone14,2 \"x\""
        let maker = try PlayTable([
            StoredPlay(cdn: "a", cdnRegion: device, endedAt: noon),
            StoredPlay(cdn: "b", cdnRegion: "eu", endedAt: noon),
        ]).maker
        let text = "plays > 0 by cdnRegion where cdnRegion=\"iPhone14,2 \"\"x\"\"\" and cdn!=b"
        let levels = try ServiceLevel.parse(text + "\nplays > 0")
        let days = ReportRequest(days: .window(noon - 60_000..<noon + 60_000), by: [])
        let results = try maker.check(levels, days)
        let link = try #require(results.first).link(from: "https://qoe.example.com")
        let parts = link.split(separator: "?")
        #expect(parts.count == 2 && parts[0] == "https://qoe.example.com/")
        let items = parts[1].split(separator: "&").compactMap { $0.removingPercentEncoding }
        let exact = #"where=cdnRegion="iPhone14,2 ""x""""#
        #expect(
            items == [
                "from=2026-11-29T11:59Z", "to=2026-11-29T12:01Z", "by=cdnRegion", exact, "where=cdn!=b", exact,
            ])
        #expect(try PlayFilter(String(exact.dropFirst("where=".count))) == PlayFilter(.cdnRegion, device))
        #expect(
            results.last?.link(from: "http://127.0.0.1:8080")
                == "http://127.0.0.1:8080/?from=2026-11-29T11%3A59Z&to=2026-11-29T12%3A01Z")
    }

    @Test("with a time until now are about it, where no days are asked for")
    func window() throws {
        let noon = try #require(Moment("2026-11-29T12:00Z")).milliseconds
        let maker = try PlayTable([-50, -70, 0].map { StoredPlay(endedAt: noon + $0 * 60_000) }).maker
        let levels = try ServiceLevel.parse("plays > 2 over 1h\nplays > 2")
        let results = try maker.check(levels, ReportRequest(by: []), now: noon)
        #expect(results.map(\.value) == [2, 3])
        #expect(results[0].period == "2026-11-29T11:01Z/2026-11-29T12:01Z")
        #expect(try maker.check(levels, ReportRequest(by: [])).map(\.value) == [3, 3])
    }

    @Test("judge exits before start by their interval")
    func exits() throws {
        var plays: [StoredPlay] = []
        for session in 0..<40 {
            for play in 0..<5 {
                var one = StoredPlay(
                    sessionId: "s\(session)", startupMs: 300, watchedMs: 900, endedAt: Int64(session * 5 + play))
                if play == 0, session % 2 == 0 { (one.startupMs, one.watchedMs) = (nil, 0) }
                plays.append(one)
            }
        }
        let levels = try ServiceLevel.parse("exits_before_start_ratio < 12%\nexits_before_start_ratio < 30%")
        let results = try PlayTable(plays).maker.check(levels, ReportRequest(by: []))
        #expect(results.map(\.outcome) == [.uncertain, .kept])
        #expect((results[0].low ?? 1) < 0.1 && (results[0].high ?? 0) > 0.12)
    }

    @Test("are JSON with every number that there is, and null for what is not known")
    func json() throws {
        let store = try CaseStore("intervals-by-hand")
        let levels = try ServiceLevel.parse("first: startup_p95_ms < 300 by cdnRegion where cdnRegion=eu-west")
        let request = ReportRequest(by: [])
        let text = ServiceLevelResult.json(try store.maker.check(levels, request), request)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let result = try #require((json["results"] as? [[String: Any]])?.first)
        #expect(result["level"] as? String == "first" && result["outcome"] as? String == "broken")
        #expect(result["group"] as? [String: String] == ["cdn_region": "eu-west"])
        #expect(result["value"] as? Int == 1_200 && result["low"] as? Int == 850 && result["high"] is NSNull)
        #expect(result["from"] is NSNull && result["plays"] as? Int == 20)
    }
}
