import Foundation
import Testing

@testable import Reports

@Suite("The HTML page")
struct HTMLRendererTests {
    private static let request = ReportRequest()

    private static func page(_ plays: [StoredPlay], _ request: ReportRequest = request) throws -> String {
        HTMLRenderer.render(try PlayTable(plays).maker.page(request))
    }

    private static func count(_ part: String, in text: String) -> Int { text.components(separatedBy: part).count - 1 }

    @Test("needs nothing but itself")
    func selfContained() throws {
        let html = try Self.page(RandomPlays.make(seed: 4, count: 300))
        for word in ["http:", "https:", "<script", "src=", "@import", "url("] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.hasPrefix("<!DOCTYPE html>"))
        #expect(html.contains("<meta name=\"viewport\""))
    }

    @Test("is well-formed: every element that is opened is closed")
    func wellFormed() throws {
        let html = try Self.page(RandomPlays.make(seed: 4, count: 300))
        var open: [Substring] = []
        for match in html.matches(of: /<(\/?)([a-z0-9]+)([^<>]*?)(\/?)>/) {
            let (name, isClosing) = (match.2, !match.1.isEmpty)
            if ["meta", "link"].contains(name) || !match.4.isEmpty { continue }
            if isClosing {
                #expect(open.popLast() == name)
            } else {
                open.append(name)
            }
        }
        #expect(open.isEmpty)
    }

    @Test("has landmarks, a heading a section, headers in every table and a name for every picture")
    func accessible() throws {
        let html = try Self.page(RandomPlays.make(seed: 4, count: 300))
        for landmark in ["<header>", "<main id=\"main\">", "<footer class=\"quiet\">", "<html lang=\"en\">"] {
            #expect(Self.count(landmark, in: html) == 1)
        }
        #expect(Self.count("<h1>", in: html) == 1)
        #expect(Self.count("<section aria-labelledby=", in: html) == Self.count("<h2 id=", in: html))
        #expect(Self.count("<table>", in: html) == Self.count("<caption>", in: html))
        #expect(Self.count("<svg role=\"img\" aria-label=\"", in: html) == Self.count("</figure>", in: html))
    }

    @Test("draws one mark for every figure that there is")
    func marks() throws {
        let plays = RandomPlays.make(seed: 4, count: 500)
        let page = try PlayTable(plays).maker.page(Self.request)
        let html = HTMLRenderer.render(page)
        let shown =
            (page.whole.plays.periods.first?.groups ?? []) + (page.whole.plays.periods.first.map { [$0.all] } ?? [])
        let startup = try #require(html.firstMatch(of: /<h2 id="startup">[\s\S]*?<\/svg>\n<figcaption>/)).0
        #expect(Self.count("<circle class=\"mark one\"", in: String(startup)) == shown.count)
        #expect(Self.count("<rect class=\"mark two\"", in: String(startup)) == shown.count)
        let spread = try #require(html.firstMatch(of: /<h2 id="distribution">[\s\S]*?<\/section>/)).0
        #expect(Self.count("<rect class=\"mark bar one\"", in: String(spread)) == shown.count * 20)
        let course = try #require(html.firstMatch(of: /<h3 id="course-failure">[\s\S]*?<\/section>/)).0
        let figures = page.course.periods.flatMap { $0.groups + [$0.all] }.count { $0.failed.value != nil }
        #expect(Self.count("<circle class=\"mark one\"", in: String(course)) == figures)
    }

    @Test("has the percentiles that are asked for")
    func percentiles() throws {
        var request = Self.request
        request.percents = [75]
        let plays = RandomPlays.make(seed: 4, count: 500)
        let page = try PlayTable(plays).maker.page(request)
        let figures = try #require(page.whole.plays.periods.first?.all)
        let expected = try #require(figures.startupPercentiles[75]?.value)
        let (low, high) = (try #require(figures.startupP50.value), try #require(figures.startupP95.value))
        #expect(low <= expected && expected <= high)
        #expect(HTMLRenderer.render(page).contains("<th scope=\"col\">p75</th>"))
    }

    @Test("takes nothing that a player sent for markup")
    func escaping() throws {
        var plays = RandomPlays.make(seed: 4, count: 200)
        for index in plays.indices {
            plays[index].cdnRegion = index % 2 == 0 ? "<img src=x onerror=alert(1)>" : "\"'&</text>"
            plays[index].errorCode = plays[index].errorCode.map { _ in "</svg><b>" }
        }
        let html = try Self.page(plays)
        #expect(!html.contains("<img"))
        #expect(!html.contains("<b>"))
        #expect(html.contains("&lt;img src=x onerror=alert(1)&gt;"))
        #expect(html.contains("&quot;&#39;&amp;&lt;/text&gt;"))
    }

    @Test("says so when there is no play, one day, or one group")
    func edges() throws {
        let none = try Self.page([])
        #expect(none.contains("No plays in this time."))
        let one = Array(RandomPlays.make(seed: 4, count: 20).prefix(1))
        let single = try Self.page(one)
        #expect(!single.contains("id=\"course\""))
        #expect(!single.contains("id=\"comparison\""))
        #expect(try Self.page(RandomPlays.make(seed: 4, count: 90), ReportRequest(by: [])).contains("all plays"))
    }

    @Test("accuses in its first sentence whom the comparison accuses")
    func answer() throws {
        var plays: [StoredPlay] = []
        for index in 0..<2_000 {
            var play = StoredPlay(
                playId: "\(index)", sessionId: "s\(index / 10)", cdnRegion: index / 10 % 2 == 0 ? "a" : "b")
            play.startupMs = 300
            play.watchedMs = 10_000
            play.endedAt = 1_795_824_000_000
            play.receivedAt = play.endedAt
            play.arrival = Int64(index + 1)
            play.errorCode = play.cdnRegion == "b" && index % 7 == 0 ? "timeout" : nil
            plays.append(play)
        }
        let html = try Self.page(plays)
        #expect(
            html.contains(
                "<strong class=\"bad\">b is worse</strong> than all others together: "
                    + "failures (14.2\u{A0}%, for the others 0\u{A0}%)."))
        #expect(!html.contains("a is worse"))
    }
}
