import Testing

@testable import Reports

@Suite("The names of a group")
struct GroupNamesTests {
    @Test("are one group's when they are the same bytes, not when they look alike")
    func bytes() {
        let (one, other): (GroupNames, GroupNames) = (["\u{E9}", "wifi"], ["e\u{301}", "wifi"])
        #expect(one != other)
        #expect(one == ["\u{E9}", "wifi"])
        #expect(Set([one, other]).count == 2)
        #expect(GroupNames(["ab", "c"]) != ["a", "bc"])
        #expect(one.joined(separator: ", ") == "\u{E9}, wifi")
    }

    @Test("keep groups apart that look alike, wherever a report finds one again")
    func page() throws {
        var plays = RandomPlays.make(seed: 4, count: 400)
        for index in plays.indices {
            plays[index].cdnRegion = index < 300 ? "e\u{301}" : "\u{E9}"
            plays[index].errorCode = index < 300 ? nil : "timeout"
        }
        let document = try PlayTable(plays).maker.document(
            [.summary], ReportRequest(), comparing: ComparisonRequest(.rest))
        let page = try PlayTable(plays).maker.page(ReportRequest())
        let worse = try #require(page.whole.comparison).periods[0].comparisons.filter { $0.verdict == .worse }
        #expect(document.comparison?.periods.isEmpty == false)
        #expect(worse.allSatisfy { $0.names == ["\u{E9}"] })
        #expect(GroupTroubles(whole: try #require(page.whole.comparison)).lasting.map(\.names) == worse.map(\.names))
    }
}
