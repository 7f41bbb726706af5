import PlaybackEvents
import Testing

@Suite("A hostile body")
struct HostileBodyTests {
    private func deep(_ open: String, _ close: String, _ levels: Int) -> String {
        String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
    }

    @Test("that is 100,000 levels deep costs its event alone, outside events the request")
    func isDeep() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"\":", "}]")] {
            let value = deep(open, close, 100_000)
            // So deep an event is too large before it is too deep; both cost it alone.
            let batch = try Request.decode(
                Request.body(events: [Request.event("\"x\":\(value)"), Request.event(), value]))
            #expect(batch.plays.count == 1)
            #expect(batch.rejections[0].code == .eventTooLarge)
            let outside = Request.fault(of: Array(Request.body("\"x\":\(value)", events: []).utf8))
            #expect(outside?.code == .invalidJSON)
            #expect(outside?.offset == nil)
            let start = Array(String(repeating: open, count: 100_000).utf8)
            #expect(Request.fault(of: start)?.offset == start.count)
        }
        let shallow = try Request.decode(Request.body(events: [Request.event("\"x\":\(deep("[", "]", 500))")]))
        #expect(shallow.rejections.map(\.code) == [.tooDeep])
    }

    @Test("of many keys is judged in about the time of many bytes")
    func hasManyKeys() throws {
        // A comparison of each with each would take minutes.
        let keys = (0..<200_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(Request.fault(of: Array("{\(keys),\"events\":[]}".utf8)) == nil)
        #expect(Request.fault(of: Array("{\(keys),\"events\":[],\"x\":{\(keys)}}".utf8)) == nil)
        #expect(Request.fault(of: Array("{\(keys),\"events\":[],\"k77\":1}".utf8))?.code == .duplicateKey)
        let some = (0..<1_500).map { "\"k\($0)\":0" }.joined(separator: ",")
        let events = [String](repeating: Request.event(some), count: 200)
        let batch = try Request.decode(Request.body(events: events + [Request.event(some, "\"k9\":1")]))
        #expect(batch.plays.count == 200)
        #expect(batch.unknownFields == 201 * 1_500 + 1)
        #expect(batch.rejections.map(Verdict.init) == [Verdict("duplicate_key", "")])
    }

    @Test("of many tags is judged by their number")
    func hasManyTags() throws {
        let tags = (0..<1_200).map { "\"k\($0)\":\"v\"" }.joined(separator: ",")
        let batch = try Request.decode(
            Request.body(
                events: [Request.event("\"tags\":{\(tags)}"), Request.event("\"tags\":{\(tags),\"k7\":\"v\"}")]))
        #expect(
            batch.rejections.map(Verdict.init) == [Verdict("out_of_range", "tags"), Verdict("duplicate_key", "tags")])
    }

    @Test("with a number of a million digits is judged exactly")
    func hasLongNumbers() {
        let zeros = String(repeating: "0", count: 1_000_000)
        for (number, isLegal) in [("1.\(zeros)", true), ("1.\(zeros)1", false), ("0.\(zeros)1e1000001", true)] {
            let body = Request.body("\"schemaVersion\":\(number)", events: [])
            #expect((Request.fault(of: Array(body.utf8)) == nil) == isLegal)
        }
    }

    @Test("of escapes alone leaves nothing behind that grows with it")
    func hasManyEscapes() throws {
        let escapes = String(repeating: "\\u00e9", count: 100_000)
        let body = Request.body("\"x\":[\"\(escapes)\",{\"\(escapes)\":1}]", events: [Request.event()])
        let batch = try Request.decode(body)
        #expect(batch.plays.count == 1)
        #expect(batch.text.count <= body.utf8.count)
    }
}
