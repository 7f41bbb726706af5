import Foundation
import Ingest
import Testing
import TestSupport

@Suite("Reports over HTTP")
struct ReportsRouteTests {
    private static let noon: Int64 = 1_795_953_600_000  // 2026-11-29T12:00Z

    private func running(_ plays: Int = 1) throws -> RunningServer {
        let running = try RunningServer(now: { Self.noon })
        try post(plays, to: running)
        return running
    }

    private func post(_ plays: Int, to running: RunningServer) throws {
        let event = #"{"videoId":"v","startupMs":400,"stalls":0,"stalledMs":0,"watchedMs":20000,"cdnRegion":"eu"}"#
        let events = Array(repeating: event, count: plays).joined(separator: ",")
        let answer = try running.connect().post("/v1/playback-events", Array(#"{"events":[\#(events)]}"#.utf8))
        #expect(answer.status == 202)
        try running.server.waitForFollower()
    }

    @Test("are the tables of the command line, as CSV and JSON")
    func tables() throws {
        let running = try running(3)
        let connection = try running.connect()
        let csv = try connection.get(
            "/v1/reports/startup.csv?from=2026-11-29&to=2026-11-29&by=cdnRegion&where=cdnRegion%3Deu")
        #expect(csv.status == 200)
        #expect(csv.fields["content-type"]?.hasPrefix("text/csv") == true)
        #expect(csv.text.split(separator: "\r\n").count == 3)
        #expect(csv.text.contains("2026-11-29/2026-11-29,eu,3,3,400,"))
        let json = try connection.get("/v1/reports/summary.json?day=2026-11-29")
        #expect(json.text.contains(#""metric":"summary""#) || json.text.contains(#""metric": "summary""#))
    }

    @Test("compare groups with the others or with the time before, at the same mix too")
    func comparisons() throws {
        let running = try running(3)
        let connection = try running.connect()
        let before = try connection.get("/v1/reports/compare.csv?compare=previous")
        #expect(before.status == 200)
        #expect(before.text.hasPrefix("period,cdn_region,metric,value,reference,difference,ratio,"))
        #expect(before.text.contains("2026-11-23/2026-11-29,eu,failure_ratio,0.000000,,,,,,,3,,too few sessions,2\r\n"))
        let adjusted = try connection.get("/v1/reports/compare.csv?compare=rest&adjust=network,cdn&day=2026-11-29")
        #expect(adjusted.text.contains(",adjusted_by,") && adjusted.text.contains(",network;cdn,"))
        let json = try connection.get("/v1/reports/compare.json?compare=rest&day=2026-11-29")
        #expect(json.text.contains(#""metric": "compare""#))
        let tag = try #require(before.fields["etag"])
        let other = try connection.get("/v1/reports/compare.csv?compare=rest", fields: ["If-None-Match": tag])
        #expect(other.status == 200)
    }

    @Test("cover the last seven days when nothing is said")
    func lastWeek() throws {
        let running = try running()
        let csv = try running.connect().get("/v1/reports/summary.csv")
        #expect(csv.text.contains("2026-11-23/2026-11-29,eu,1,"))
    }

    @Test("cover the time until now, and the page of it refreshes itself")
    func last() throws {
        let running = try running()
        let csv = try running.connect().get("/v1/reports/summary.csv?last=15m")
        #expect(csv.text.contains("2026-11-29T11:46Z/2026-11-29T12:01Z,eu,1,"))
        let page = try running.connect().get("/?last=15m&where=cdnRegion%3Deu")
        #expect(page.text.contains(#"<meta http-equiv="refresh" content="60">"#))
        #expect(
            page.text.contains(
                "Plays with cdnRegion=eu; time zone UTC; target 1\u{A0}s; as of 29 November 2026, 12:00 UTC"))
        let range = "from=2026-11-29T11:00Z&to=2026-11-29T13:00+01:00"
        #expect(try running.connect().get("/v1/reports/summary.csv?\(range)").text.split(separator: "\r\n").count == 1)
        #expect(try !running.connect().get("/?from=2026-11-29T11:00Z").text.contains("http-equiv"))
        #expect(try running.connect().get("/v1/reports/summary.csv?last=401d").text.contains("too_dear"))
        #expect(try running.connect().get("/?where=cdnRegion%3Deu-west").text.contains("&#39;eu&#39;"))
    }

    @Test("lead to the plays behind a number, and to a session")
    func plays() throws {
        let running = try running(3)
        let event =
            #"{"videoId":"v","startupMs":900,"stalls":0,"stalledMs":0,"watchedMs":9,"cdnRegion":"us","sessionId":"s/1"}"#
        #expect(
            try running.connect().post("/v1/playback-events", Array(#"{"events":[\#(event)]}"#.utf8)).status == 202)
        try running.server.waitForFollower()
        let page = try running.connect().get("/?last=1h").text
        #expect(page.contains(#"<a href="plays?last=1h&amp;where=cdnRegion%3Deu">"#))
        let eu = try running.connect().get("/plays?last=1h&where=cdnRegion%3Deu&limit=2")
        #expect(eu.status == 200 && eu.text.contains("2 of 3 plays, chosen at random with seed 1"))
        let worst = try running.connect().get("/v1/plays.csv?worst=startup&limit=1").text.split(separator: "\r\n")
        #expect(worst.count == 2 && worst[1].contains(",s/1,v,"))
        #expect(try running.connect().get("/plays").text.contains(#"<a href="session/s%2F1">"#))
        let session = try running.connect().get("/session/s%2F1")
        #expect(session.status == 200 && session.text.contains("Session s/1, 1 of 1 plays"))
        #expect(try running.connect().get("/v1/plays.json?session=s/1").text.contains(#""startup_ms": 900"#))
        let nobody = try running.connect().get("/session/nobody")
        #expect(nobody.status == 404 && nobody.text.contains("there are 4 plays from 2026-11-29T12:00Z"))
        for (path, status) in [
            ("/session/", 404), ("/play/x", 404), ("/v1/plays.txt", 404), ("/plays?worst=slow", 400),
            ("/plays?limit=1001", 400), ("/session/a?day=today", 400), ("/plays?where=cdnRegion%3Dnowhere", 400),
        ] {
            #expect(try running.connect().get(path).status == status, "\(path)")
        }
    }

    @Test("are a page for people at /, which a browser may run nothing of")
    func page() throws {
        let running = try running()
        let page = try running.connect().get("/")
        #expect(page.status == 200)
        #expect(page.fields["content-type"] == "text/html; charset=utf-8")
        #expect(page.fields["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(page.text.contains("<h1>23 to 29 November 2026</h1>"))
    }

    @Test("have links, each of which leads somewhere, and a form whose empty fields ask for nothing")
    func links() throws {
        let running = try running(3)
        let start = "/?from=2026-11-28&to=2026-11-29&by=&where=&where=cdnRegion%3Deu&time_zone=UTC&target_ms=800"
        let page = try running.connect().get(start).text
        #expect(page.contains(#"<option value="cdnRegion=eu" selected>eu</option>"#))
        #expect(page.contains(#"<input type="date" name="from" value="2026-11-28""#))
        let links = page.matches(of: /href="([^"#]+)"/).map { String($0.1).replacing("&amp;", with: "&") }
            .filter { !$0.hasPrefix("data:") }
        #expect(links.contains { $0.hasPrefix("v1/reports/histogram.csv?from=2026-11-28&") })
        #expect(links.contains("?time_zone=UTC&target_ms=800&where=cdnRegion%3Deu&last=15m"))
        for link in Set(links) {
            #expect(try running.connect().get("/" + link).status == 200, "\(link)")
        }
    }

    @Test("say what changed, and how an experiment stands")
    func others() throws {
        let running = try running(3)
        let connection = try running.connect()
        let changed = try connection.get("/v1/reports/changed.csv?day=2026-11-29")
        #expect(changed.status == 200 && changed.text.hasPrefix("period,outcome,cdn_region,"))
        let json = try connection.get("/v1/reports/changed.json?where=cdnRegion%3Deu").text
        #expect(json.contains(#""where": ["cdnRegion=eu"]"#) && !json.contains(#""as_of": null"#))
        let start = "/v1/reports/experiment"
        let arms = "compare=cdnRegion%3Deu&since=2026-11-29"
        let alone = try connection.get("\(start).csv?\(arms)")
        #expect(alone.status == 400 && alone.text.contains("no play since 2026-11-29 has another cdnRegion"))
        let event = #"{"videoId":"v","startupMs":900,"stalls":0,"stalledMs":0,"watchedMs":9,"cdnRegion":"us"}"#
        #expect(
            try running.connect().post("/v1/playback-events", Array(#"{"events":[\#(event)]}"#.utf8)).status == 202)
        try running.server.waitForFollower()
        let two = try connection.get("\(start).csv?\(arms)")
        #expect(two.status == 200 && two.text.contains(",us,startup_within_target_ratio,"))
        for query in ["", "compare=rest", "\(arms)&day=today", "\(arms)&by=cdn", "compare=cdnRegion%3Deu"] {
            #expect(try connection.get("\(start).json?\(query)").status == 400, "\(query)")
        }
        #expect(try connection.get("/v1/reports/compare.csv?compare=rest&since=2026-11-29").status == 400)
    }

    @Test("are not sent again while nothing has changed")
    func entityTag() throws {
        let running = try running()
        let connection = try running.connect()
        let tag = try #require(try connection.get("/v1/reports/summary.csv").fields["etag"])
        let unchanged = try connection.get("/v1/reports/summary.csv", fields: ["If-None-Match": tag])
        #expect(unchanged.status == 304)
        #expect(try connection.get("/v1/reports/summary.csv", fields: ["If-None-Match": "*"]).status == 304)
        #expect(try connection.get("/v1/reports/startup.csv", fields: ["If-None-Match": tag]).status == 200)
        try post(1, to: running)
        #expect(try connection.get("/v1/reports/summary.csv", fields: ["If-None-Match": tag]).status == 200)
    }

    @Test(
        "that can't be made are refused with the reason",
        arguments: [
            ("/v1/reports/sumary.csv", 404), ("/v1/reports/summary.xml", 404),
            ("/v1/reports/summary.csv?to=2026-11-01", 400),
            ("/v1/reports/summary.csv?by=nothing", 400), ("/v1/reports/summary.csv?colour=red", 400),
            ("/v1/reports/summary.csv?day=2026-11-28&day=2026-11-29", 400),
            ("/v1/reports/summary.csv?from=2020-01-01&to=2026-11-30", 400),
            ("/v1/reports/summary.csv?compare=rest", 400), ("/v1/reports/compare.csv", 400),
            ("/v1/reports/compare.csv?compare=rests", 400), ("/v1/reports/compare.csv?compare=rest&adjust=day", 400),
            ("/v1/reports/compare.csv?compare=rest&compare=previous", 400),
        ])
    func refused(path: String, status: Int) throws {
        let running = try running()
        let response = try running.connect().get(path)
        #expect(response.status == status)
        #expect(response.text.contains("message"))
    }

    @Test(
        "survive whatever regions and codes are invented: the page is there, tables have the smallest groups as one")
    func invented() throws {
        let running = try running()
        for part in 0..<2 {
            let events = (0..<600).map { number in
                SampleBatch.event(
                    SampleBatch.newId(),
                    #""cdnRegion":"r\#(part)-\#(number)","error":{"domain":"d\#(part)","code":\#(number)}"#)
            }
            let answer = try running.connect().post(
                "/v1/playback-events", Array(SampleBatch.body(events).utf8))
            #expect(answer.status == 202)
        }
        try running.server.waitForFollower()
        let page = try running.connect().get("/")
        #expect(page.status == 200)
        #expect(page.text.contains("too many groups by cdnRegion"))
        #expect(page.text.contains("1,201"))
        for format in ["csv", "json"] {
            let table = try running.connect().get("/v1/reports/summary.\(format)")
            #expect(table.status == 200)
            #expect(table.text.contains("(other)"))
            #expect(try running.connect().get("/v1/reports/summary.\(format)?by=cdn").status == 200)
            #expect(try running.connect().get("/v1/reports/failures.\(format)?by=cdn").status == 200)
            let eu = try running.connect().get("/v1/reports/summary.\(format)?where=cdnRegion%3Deu")
            #expect(eu.status == 200)
        }
        let rows = try running.connect().get("/v1/reports/quality.csv").text.split(separator: "\r\n")
        #expect(rows.count == 1 + 1_000 + 2)
        #expect(rows[1_001].hasPrefix("2026-11-23/2026-11-29,(other),201,"))
        #expect(rows[1_002].hasPrefix("2026-11-23/2026-11-29,(all),1201,"))
    }

    @Test("need a read key once there are keys")
    func keys() throws {
        let running = try RunningServer(now: { Self.noon }) { configuration, folder in
            configuration.readKeyFile = folder.path("keys")
            configuration.writeKeyFile = folder.path("writers")
            try Data("grafana rrrrrrrrrrrrrrrr".utf8).write(to: folder.url.appendingPathComponent("keys"))
            try Data("ios wwwwwwwwwwwwwwww".utf8).write(to: folder.url.appendingPathComponent("writers"))
        }
        let path = "/v1/reports/summary.csv"
        #expect(try running.connect().get(path).status == 401)
        #expect(try running.connect().get(path + "?key=wwwwwwwwwwwwwwww").status == 403)
        #expect(try running.connect().get(path + "?key=rrrrrrrrrrrrrrrr").status == 200)
        for path in ["/plays", "/v1/plays.csv", "/session/a", "/play/a"] {
            #expect(try running.connect().get(path).status == 401)
        }
        let bearer = ["Authorization": "Bearer rrrrrrrrrrrrrrrr"]
        #expect(try running.connect().get(path, fields: bearer).status == 200)
        #expect(!running.log.text.contains("rrrrrrrr"))
    }
}
