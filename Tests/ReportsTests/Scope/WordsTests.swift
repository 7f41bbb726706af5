import Testing

@testable import Reports

@Suite("The words that ask for a report")
struct WordsTests {
    private func message(_ body: () throws -> Void) -> String? {
        #expect(throws: ReportRequestError.self, performing: body)?.description
    }

    @Test("name one to three dimensions")
    func dimensions() throws {
        #expect(try PlayDimension.list("day,cdnRegion,tag:lifecycle") == [.day, .cdnRegion, .tag("lifecycle")])
        #expect(PlayDimension.tag("arm").column == "tag_arm")
        #expect(
            message { _ = try PlayDimension.list("cdnregion") }
                == "unknown dimension 'cdnregion': did you mean 'cdnRegion'?")
        #expect(message { _ = try PlayDimension.list("cdn,cdn") } == "the dimension 'cdn' stands twice")
        #expect(
            message { _ = try PlayDimension.list("cdn,day,hour,network") }
                == "4 dimensions: a report goes by three at most")
        for bad in ["tag:", "tag:A", "tag:1a", "tag:a-b", "tag:" + String(repeating: "a", count: 33), "", "tag:é"] {
            #expect(message { _ = try PlayDimension.list(bad) } != nil, "\(bad)")
        }
    }

    @Test("choose plays by a value, by all others, or by having none")
    func filters() throws {
        #expect(try PlayFilter("network=wifi") == PlayFilter(.network, "wifi"))
        #expect(try PlayFilter("network!=a=b") == PlayFilter(.network, "a=b", isNegated: true))
        #expect(try PlayFilter("cdnRegion=(unknown)") == PlayFilter(.cdnRegion, "(unknown)"))
        #expect(try PlayFilter("errorCode!=(none)") == PlayFilter(.errorCode, "(none)", isNegated: true))
        #expect(try PlayFilter("day=2026-11-29") == PlayFilter(.day, "2026-11-29"))
        #expect(try PlayFilter("cdn=\u{301}a") == PlayFilter(.cdn, "\u{301}a"))
        // Two values, although Swift takes the texts for equal.
        #expect(Set([PlayFilter(.cdn, "\u{E9}"), PlayFilter(.cdn, "e\u{301}")]).count == 2)
        for bad in [
            "network", "=wifi", "network=", "errorCode=(unknown)", "cdn=(none)", "day=yesterday", "hour=12", "x=y",
        ] {
            #expect(message { _ = try PlayFilter(bad) } != nil, "\(bad)")
        }
    }

    @Test("find plays by them on every path", arguments: [("(unknown)", 1), ("eu-west", 2), ("é", 0)])
    func found(_ value: String, _ rows: Int) throws {
        let cases = try CaseStore("tiny-by-hand")
        let table = try cases.maker.table(.summary, ReportRequest(filters: [PlayFilter(.cdnRegion, value)]))
        #expect(table.rows.count == (rows == 0 ? 0 : 2))
    }
}
