import Foundation
import Testing

@testable import Reports

@Suite("What a page leads to")
struct PageFormTests {
    private static let plays = RandomPlays.make(seed: 4, count: 300)

    /// A page as a server makes it.
    private static func page(
        _ request: ReportRequest = ReportRequest(), _ query: [PageLinks.Item] = [], key: String? = nil
    ) throws -> String {
        let maker = try PlayTable(plays).maker
        var page = try maker.page(request)
        page.whole.links = PageLinks(query: query, key: key)
        page.values = try maker.filterValues()
        return HTMLRenderer.render(page)
    }

    @Test("is asked for by a plain form that has what was asked for, and keeps what it has no field for")
    func form() throws {
        let day = try #require(CalendarDay("2026-11-28"))
        let filters = ["network=wifi", "cdn!=apricot", "network=wifi,cellular"]
        var request = ReportRequest(days: .range(day, day.advanced(by: 1)), by: [.cdn, .videoId])
        request.targetMs = 1_250
        let html = try Self.page(
            request, [("by", "cdn,videoId"), ("percentiles", "75")] + filters.map { ("where", $0) }, key: "k<")
        for part in [
            #"<form method="get">"#, #"<input type="date" name="from" value="2026-11-28""#,
            #"<input type="date" name="to" value="2026-11-29""#, #"name="target_ms" value="1250""#,
            #"<option value="cdn,videoId" selected>"#, #"<option value="network=wifi" selected>wifi</option>"#,
            #"<option value="network=(unknown)">"#,
            #"<input type="checkbox" name="where" value="cdn!=apricot" checked />"#,
            #"name="where" value="network=wifi,cellular" checked />"#,
            #"<input type="hidden" name="percentiles" value="75" />"#,
            #"<input type="hidden" name="key" value="k&lt;" />"#,
        ] {
            #expect(html.contains(part), "\(part)")
        }
        #expect(!html.contains(#"name="last""#))
        #expect(!HTMLRenderer.render(try PlayTable(Self.plays).maker.page(ReportRequest())).contains("<form"))
    }

    @Test("of a time until now stays so, and is left by links that keep the rest")
    func times() throws {
        var request = ReportRequest(days: .window(0..<2_000_000_000_000))
        request.isUntilNow = true
        let html = try Self.page(request, [("last", "6h"), ("where", "cdn!=x")], key: "k")
        #expect(html.contains(#"<input type="hidden" name="last" value="6h" />"#))
        #expect(html.contains(##"<a href="?where=cdn%21%3Dx&amp;last=6h&amp;key=k" aria-current="true">"##))
        #expect(html.contains(##"<a href="?where=cdn%21%3Dx&amp;day=yesterday&amp;key=k">yesterday</a>"##))
        #expect(html.contains(##"<a href="?where=cdn%21%3Dx&amp;key=k">7 days</a>"##))
        #expect(!html.contains(#"name="from""#))
        request.isUntilNow = false
        #expect(try Self.page(request).contains(#"<input type="text" name="from" value="1970-01-01T00:00Z" />"#))
    }

    @Test("are the plays of a name, the plays behind a number, and a file at every table")
    func links() throws {
        let html = try Self.page(ReportRequest(), [("from", "2026-11-28"), ("by", "cdnRegion")])
        let row = try #require(
            html.firstMatch(of: /<th scope="row"><a href="([^"]+)">us-east<\/a><\/th><td[^>]*><a href="([^"]+)">/))
        #expect(row.1 == "?from=2026-11-28&amp;by=cdnRegion&amp;where=cdnRegion%3Dus-east")
        #expect(row.2 == "plays?from=2026-11-28&amp;where=cdnRegion%3Dus-east")
        #expect(html.contains(##"<th scope="row">(all)</th><td data-label="plays"><a href="plays?from=2026-11-28">"##))
        let (tables, files) = (
            html.components(separatedBy: "<table>").count, html.components(separatedBy: ">CSV</a>").count
        )
        #expect(tables == files)
        for file in [
            "summary.csv?from=2026-11-28&amp;by=cdnRegion\"", "startup.csv?from=2026-11-28&amp;by=day%2CcdnRegion\"",
            "compare.csv?from=2026-11-28&amp;by=cdnRegion&amp;compare=rest&amp;adjust=network\"", "histogram.csv?",
        ] {
            #expect(html.contains("v1/reports/" + file), "\(file)")
        }
    }

    @Test("stands in a list of contents, with a section for each that has something to show")
    func contents() throws {
        let html = try Self.page()
        let positions = html.matches(of: /<li><a href="#([a-z]+)">/).map { String($0.1) }
        #expect(positions == html.matches(of: /<h2 id="([a-z]+)">/).map { String($0.1) })
        #expect(positions.contains("delivery") && positions.contains("course"))
    }
}

@Suite("A page's pictures and tables")
struct PagePictureTests {
    @Test("end where the figures do, with an arrow where an interval goes on and nothing where it has no end")
    func ends() throws {
        let marks = [
            Mark(value: 3, low: 1, high: 40), Mark(value: 2, low: 1), Mark(value: 1, high: 1.5), Mark(value: 1),
        ]
        let scale = Scale(for: marks)
        #expect(scale.end >= 4.5 && scale.end <= 6)
        let whiskers = marks.map { Whisker($0, scale) }
        #expect(whiskers[0]?.highEnd == .clipped && whiskers[0]?.high == 100 && whiskers[0]?.lowEnd == .closed)
        #expect(whiskers[1]?.highEnd == .open && whiskers[1]?.high == 100)
        #expect(whiskers[2]?.lowEnd == .open && whiskers[2]?.low == 0 && whiskers[2]?.highEnd == .closed)
        #expect(whiskers[3] == nil)
        let chart = IntervalChart(
            title: "t", rows: marks.map { .init(name: "n", one: $0, two: nil, text: "") },
            label: { .init(value: "\($0)") })
        #expect(chart.svg().text.components(separatedBy: "class=\"arrow one\"").count == 2)
        #expect(chart.svg().text.components(separatedBy: "whisker one open").count == 3)
        #expect(chart.note.contains("dashed") && chart.note.contains("arrow"))
    }

    @Test("name an axis's values in one unit, with no decimals that say nothing")
    func labels() {
        let times = Scale.labels(Scale(upTo: 5_200).ticks) { HumanNumber.milliseconds(Int64($0)) }
        #expect(times == ["0 s", "2 s", "4 s", "6 s"])
        #expect(
            Scale.labels(Scale(upTo: 0.011).ticks) { HumanNumber.percent($0) } == [
                "0.00 %", "0.25 %", "0.50 %", "0.75 %", "1.00 %", "1.25 %",
            ])
    }

    @Test("are left out where there is nothing to draw")
    func nothing() throws {
        let plays = (0..<30).map {
            StoredPlay(sessionId: "s\($0)", cdnRegion: "a", waitedMs: 5_000, endedAt: Int64($0))
        }
        let html = HTMLRenderer.render(try PlayTable(plays).maker.page(ReportRequest()))
        for title in ["Startup p50 and p95", "Rebuffer ratio", "Memory at session end", "Distribution"] {
            #expect(!html.contains("aria-label=\"\(title)"), "\(title)")
        }
        #expect(!html.contains("id=\"distribution\""))
        #expect(html.contains("No sender has said what it made."))
    }

    @Test("fold what comes after ten rows, but never all plays, and keep a number and its unit together")
    func rows() throws {
        var plays = RandomPlays.make(seed: 4, count: 400)
        for index in plays.indices { plays[index].cdnRegion = "r\(index % 14)" }
        let html = HTMLRenderer.render(try PlayTable(plays).maker.page(ReportRequest()))
        let table = try #require(
            html.firstMatch(
                of:
                    /<label class="more">[^\n]* all 15 rows<\/label>\n<div[^\n]*\n<table><caption>Summary[\s\S]*?<\/table>/
            )
        ).0
        #expect(table.components(separatedBy: "<tr class=\"rest\">").count == 5)
        #expect(table.contains("<tr class=\"all\">") && !table.contains("class=\"all rest\""))
        #expect(table.contains(/[0-9]\u{A0}%/) && !table.contains(/[0-9] %/))
    }

    @Test("are lists on every screen where many groups have a column each")
    func long() throws {
        var plays = RandomPlays.make(seed: 4, count: 400)
        for index in plays.indices { plays[index].cdnRegion = "r\(index % 14)" }
        let html = HTMLRenderer.render(try PlayTable(plays).maker.page(ReportRequest()))
        #expect(html.contains(#"<div class="scroll long" role="region" tabindex="0" aria-label="Startup p95, "#))
        #expect(html.contains(#"<td data-label="r13">"#))
    }

    @Test("write days and times as people do")
    func dates() {
        for (name, words) in [
            ("2026-11-29", "29 November 2026"), ("2026-11-23/2026-11-29", "23 to 29 November 2026"),
            ("2026-10-28/2026-11-03", "28 October to 3 November 2026"),
            ("2026-12-28/2027-01-03", "28 December 2026 to 3 January 2027"),
            ("2026-11-29/2026-11-29", "29 November 2026"),
            ("2026-11-29T18:00Z/2026-11-29T18:15Z", "29 November 2026, 18:00 to 18:15 UTC"),
            (
                "2026-11-28T18:00+01:00/2026-11-29T18:15+01:00",
                "28 November 2026, 18:00, to 29 November 2026, 18:15 +01:00"
            ),
            (
                "2026-10-24T18:00+02:00/2026-10-25T18:00+01:00",
                "24 October 2026, 18:00 +02:00, to 25 October 2026, 18:00 +01:00"
            ),
            ("some plays", "some plays"),
        ] {
            #expect(PeriodWords.words(name) == words)
        }
        #expect(PeriodWords.words(1_795_953_659_999, in: .utc) == "29 November 2026, 12:00 UTC")
    }
}
