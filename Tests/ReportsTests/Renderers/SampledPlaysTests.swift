import Testing

@testable import Reports

@Suite("A report over sampled sessions")
struct SampledPlaysTests {
    private let cases: CaseStore

    init() throws {
        cases = try CaseStore("empty")
    }

    /// Adds so many plays with a tag `sample`; nil: without it.
    private func add(_ count: Int, _ rate: String?, on day: String = "2026-11-29") throws {
        for _ in 0..<count {
            try cases.addPlay(at: "\(day)T12:00:00Z", tags: rate.map { "{\"sample\": \"\($0)\"}" } ?? "{}")
        }
    }

    private static let end = "Counts are of measured plays; nothing is weighted."

    private func notes(_ request: ReportRequest = ReportRequest()) throws -> [String] {
        try cases.maker.document([.summary], request).notes.filter { $0.hasPrefix("A sample") }
    }

    @Test("says which plays come from which share of sessions, under every form for people and as a field of JSON")
    func forms() throws {
        try add(6, "0.25")
        try add(2, "0.1", on: "2026-11-30")
        try add(3, nil)
        let note = "A sample of sessions (tag sample): 6 plays at 0.25, 2 plays at 0.1, 3 not sampled. \(Self.end)"
        #expect(try notes() == [note])
        let document = try cases.maker.document([.summary], ReportRequest())
        for text in [TextTableRenderer.render(document, usesColour: false), MarkdownRenderer.render(document)] {
            #expect(text.replacing("\n", with: " ").contains(note), "\(text)")
        }
        let page = HTMLRenderer.render(try cases.maker.page(ReportRequest()))
        #expect(page.split(separator: note).count == 2)
        for metric in [ReportMetric.summary, .failures] {
            let json = JSONRenderer.render(try cases.maker.table(metric, ReportRequest()))
            #expect(json.contains("\"sampled\": {\"0.25\": 6, \"0.1\": 2}, \"rows\""), "\(json)")
        }
        #expect(!CSVRenderer.render(try cases.maker.table(.summary, ReportRequest())).contains("0.25"))
    }

    @Test("speaks of the plays that it covers alone")
    func scope() throws {
        try add(6, "0.25")
        try add(2, "0.1", on: "2026-11-30")
        let second = ReportRequest(days: .day(try #require(CalendarDay("2026-11-30"))))
        #expect(try notes(second) == ["A sample of sessions (tag sample): 2 plays at 0.1. \(Self.end)"])
        let other = ReportRequest(filters: [try PlayFilter("cdnRegion!=eu-west")])
        #expect(try notes(other).isEmpty)
    }

    @Test("takes nothing for a share that is none, and says nothing where every session was measured")
    func noShares() throws {
        for rate in ["yes", "1", "0", "1.5", "-0.5", "nan", "0x1p-2", "1e-2", "0.2.5"] { try add(1, rate) }
        #expect(try notes().isEmpty)
        #expect(!JSONRenderer.render(try cases.maker.table(.summary, ReportRequest())).contains("sampled"))
        try add(1, ".5")
        #expect(try notes() == ["A sample of sessions (tag sample): 1 play at .5, 9 not sampled. \(Self.end)"])
    }

    @Test("names the five shares with most plays, and makes a report all the same where there are too many")
    func many() throws {
        for number in 1...7 { try add(number == 7 ? 2 : 1, "0.0\(number)") }
        #expect(
            try notes() == [
                "A sample of sessions (tag sample): 2 plays at 0.07, 1 play at 0.01, 1 play at 0.02, 1 play at 0.03, "
                    + "1 play at 0.04, 2 at other shares. \(Self.end)"
            ])
        var limits = ReportLimits()
        limits.groups = 3
        let maker = ReportMaker(store: cases.store, limits: limits)
        let document = try maker.document([.summary], ReportRequest())
        #expect(document.notes.contains { $0.hasPrefix("A sample of sessions, at more shares than a report can tell") })
        #expect(JSONRenderer.render(try maker.table(.summary, ReportRequest())).contains("\"sampled\": null, "))
    }
}
