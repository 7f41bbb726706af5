import Foundation
import Testing

@testable import Reports

@Suite("The plays behind a number")
struct PlayListTests {
    private let plays: [StoredPlay]
    private let maker: ReportMaker
    private let table: PlayTable

    init() throws {
        plays = RandomPlays.make(seed: 11, count: 600)
        table = try PlayTable(plays)
        maker = table.maker
    }

    /// Plays that a CDN served.
    private var served: [StoredPlay] { plays.filter { $0.source != "download" } }

    private func values(_ choice: PlayChoice, _ field: PlayField, limit: Int = 10) throws -> [Int64?] {
        try maker.list(ReportRequest(), choice, limit: limit).plays.map { $0.number(field) }
    }

    @Test("are the slowest to start, the longest stalled, or the newest that failed")
    func worst() throws {
        let startups = served.compactMap(\.startupMs).sorted(by: >)
        #expect(try values(.worst(.startup), .startupMs) == startups.prefix(10).map { $0 })
        #expect(try maker.list(ReportRequest(), .worst(.startup), limit: nil).total == Int64(startups.count))
        let stalled = served.filter { $0.isStarted && $0.stalls > 0 }.map(\.stalledMs).sorted(by: >)
        #expect(try values(.worst(.stalls), .stalledMs, limit: 7) == stalled.prefix(7).map { $0 })
        let failed = served.filter { $0.errorCode != nil }.map(\.endedAt).sorted(by: >)
        let list = try maker.list(ReportRequest(), .worst(.failed), limit: 1_000)
        #expect(list.plays.map { $0.number(.endedAt) } == failed.map { $0 })
        #expect(list.total == Int64(failed.count))
    }

    @Test("are some at random, the same for a seed, in order of time, and of the scope alone")
    func sample() throws {
        let request = ReportRequest(filters: [try PlayFilter("network=wifi,cellular"), try PlayFilter("tag:arm=x")])
        let known = served.filter { ["wifi", "cellular"].contains($0.network) && $0.tags["arm"] == "x" }
        let list = try maker.list(request, .sample(seed: 5), limit: 12)
        #expect(list.total == Int64(known.count) && list.plays.count == 12)
        #expect(list.heading == "12 of \(known.count) plays, chosen at random with seed 5")
        let times = list.plays.map { $0.number(.endedAt) ?? 0 }
        #expect(times == times.sorted())
        #expect(list.plays.allSatisfy { ["wifi", "cellular"].contains($0.text(.network)) })
        #expect(list.plays.allSatisfy { $0.text(.tags)?.contains(#""arm":"x""#) == true })
        #expect(Set(list.plays.map { $0.text(.playId) }).count == 12)
        #expect(try maker.list(request, .sample(seed: 5), limit: 12).plays == list.plays)
        #expect(try maker.list(request, .sample(seed: 6), limit: 12).plays != list.plays)
        #expect(try maker.list(request, .sample(seed: 6), limit: 10_000).plays.count == known.count)
    }

    @Test("of a window are those that ended in it")
    func window() throws {
        let times = plays.map(\.endedAt).sorted()
        let window = times[100]..<times[140]
        let list = try maker.list(ReportRequest(days: .window(window)), .sample(seed: 1), limit: 1_000)
        let expected = served.filter { window.contains($0.endedAt) }
        #expect(list.plays.count == expected.count)
        #expect(list.plays.allSatisfy { window.contains($0.number(.endedAt) ?? 0) })
    }

    @Test("of a session are all of it, in order, whatever else is asked")
    func session() throws {
        for id in ["s1", "s50"] {
            let own = plays.filter { $0.sessionId == id }.sorted { $0.endedAt < $1.endedAt }
            let request = ReportRequest(filters: [try PlayFilter("network=nowhere")])
            let list = try maker.list(request, .session(id), limit: nil)
            #expect(list.plays.map { $0.number(.endedAt) } == own.map(\.endedAt))
            #expect(list.plays.map { $0.number(.startupMs) } == own.map(\.startupMs))
            #expect(try maker.list(request, .session(id), limit: 1).total == Int64(own.count))
        }
    }

    @Test("are found by their identifier, with everything that they say")
    func one() throws {
        let index = try #require(plays.firstIndex { !$0.playIdMade && $0.errorCode != nil && !$0.tags.isEmpty })
        let id = "00000000-0000-4000-8000-" + String(format: "%012x", index)
        let list = try maker.list(ReportRequest(), .play(id.uppercased()), limit: nil)
        let found = try #require(list.plays.first)
        #expect(list.plays.count == 1 && found.text(.playId) == id)
        #expect(found.text(.errorCode) == plays[index].errorCode && found.text(.sessionId) == plays[index].sessionId)
        #expect(found.number(.receivedAt) == plays[index].receivedAt)
        #expect(list.text().contains("error_code"))
    }

    @Test("that nobody has are told with what there is")
    func absent() throws {
        for (choice, start) in [
            (
                PlayChoice.session("nobody"),
                "no play of a session 'nobody'; there are \(plays.count) plays from 2026-11-2"
            ),
            (.play("nobody"), "no play 'nobody'; there are \(plays.count) plays from "),
            (
                .play("00000000-0000-4000-9000-000000000000"),
                "no play '00000000-0000-4000-9000-000000000000'; there are"
            ),
        ] {
            let list = try maker.list(ReportRequest(), choice, limit: nil)
            #expect(list.absence?.hasPrefix(start) == true, "\(list.absence ?? "nothing")")
        }
        #expect(try maker.list(ReportRequest(), .sample(seed: 1), limit: nil).absence == nil)
        #expect(
            try PlayTable().maker.list(ReportRequest(), .session("a"), limit: nil).absence?.hasSuffix("no plays")
                == true)
    }

    @Test("are CSV and JSON of every field, and a page whose rows lead to their sessions")
    func formats() throws {
        let list = try maker.list(ReportRequest(), .worst(.startup), limit: 3)
        let records = try #require(CSVRecords.parse(list.csv()))
        #expect(records.count == 4 && records[0] == PlayField.allCases.map(\.rawValue))
        let json = try #require(try JSONSerialization.jsonObject(with: Data(list.json().utf8)) as? [String: Any])
        let startups = (json["plays"] as? [[String: Any]])?.map { ($0["startup_ms"] as? Int).map { Int64($0) } }
        #expect(startups == list.plays.map { $0.number(.startupMs) })
        let links = PageLinks(query: [("last", "7d"), ("where", "cdn=a&b")], key: "k/1")
        let page = PlayListPage.render(list, links: links)
        for id in list.plays.compactMap({ $0.text(.sessionId) }) {
            #expect(page.contains("<a href=\"session/\(id)?key=k%2F1\">"))
        }
        var report = try maker.page(ReportRequest())
        report.whole.links = links
        let html = HTMLRenderer.render(report)
        #expect(html.contains("plays?last=7d&amp;where=cdn%3Da%26b&amp;where=cdnRegion%3Dus-east&amp;key=k%2F1"))
        #expect(html.contains("where=cdnRegion%3D%22%3Dsum%28%22%22a%22%22%2C1%29%22"))
        #expect(html.contains("where=errorCode%3Dtimeout&amp;worst=failed"))
        #expect(!HTMLRenderer.render(try maker.page(ReportRequest())).contains("href=\"plays"))
        #expect(try maker.page(ReportRequest(filters: [try PlayFilter(#"cdnRegion="=sum(""a"",1)""#)])).asOf != nil)
    }

    @Test("are asked for in words that go together")
    func words() throws {
        func message(_ change: (inout PlayWords) -> Void, scope: [String] = []) -> String? {
            var words = PlayWords()
            change(&words)
            return #expect(throws: ReportRequestError.self) { try words.choice(scope: scope) }?.description
        }
        #expect(message { $0.worst = "slow" } == "worst \"slow\" should be one of startup, stalls, failed")
        #expect(message { ($0.worst, $0.seed) = ("startup", "1") } == "worst and seed don't go together")
        #expect(message { $0.seed = "-1" } == "the seed \"-1\" should be a whole number, from 0")
        #expect(
            message({ $0.session = "a" }, scope: ["last"]) == "a session is looked for everywhere: leave last out")
        #expect(try PlayWords().choice(scope: ["last"]) == .sample(seed: 1))
    }
}
