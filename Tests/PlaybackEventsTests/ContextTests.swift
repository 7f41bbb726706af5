import PlaybackEvents
import Testing

@Suite("A request's context")
struct ContextTests {
    private func decode(_ context: String, _ events: String..., header: [UInt8]? = nil) throws -> PlayBatch {
        try Request.decode(Request.body("\"context\":\(context)", events: events), regionHeader: header)
    }

    private func verdict(_ context: String, _ event: String) throws -> Verdict? {
        try decode(context, event).rejections.first.map(Verdict.init)
    }

    static let faults: [(String, String, Verdict?)] = [
        (#"{"cdn":5}"#, "", Verdict("wrong_type", "context.cdn")),
        (#"{"cdn":5}"#, #""cdn":"own""#, nil),
        (#"{"cdn":5}"#, #""cdn":null"#, Verdict("wrong_type", "context.cdn")),
        (#"{"cdn":null}"#, "", nil),
        (#"{"cdn":"(a)"}"#, "", Verdict("bad_format", "context.cdn")),
        (#"{"sessionId":"(a)"}"#, "", nil),
        (#"{"player":"\u0001"}"#, "", Verdict("bad_characters", "context.player")),
        (#"{"source":"("}"#, "", Verdict("bad_format", "context.source")),
        (#"{"source":""}"#, "", nil),
        (#"{"cdn":5}"#, #""cdn":"""#, Verdict("wrong_type", "context.cdn")),
        (#"{"videoId":5,"x":"","error":""}"#, "", nil),
        // The field's own place in the table decides.
        (#"{"sessionId":5,"cdn":5}"#, #""playId":5"#, Verdict("wrong_type", "playId")),
        (#"{"sessionId":5,"cdn":5}"#, #""ageMs":-1"#, Verdict("wrong_type", "context.sessionId")),
        (#"{"cdn":5}"#, #""ageMs":-1"#, Verdict("out_of_range", "ageMs")),
        (#"{"player":5,"cdn":5}"#, "", Verdict("wrong_type", "context.cdn")),
        (#"{"player":5}"#, #""tags":5"#, Verdict("wrong_type", "context.player")),
        (#"{"tags":5,"player":5}"#, "", Verdict("wrong_type", "context.player")),
        // Tags.
        (#"{"tags":5}"#, "", Verdict("wrong_type", "context.tags")),
        (#"{"tags":null}"#, "", nil),
        (#"{"tags":5}"#, #""tags":{"a":"b"}"#, Verdict("wrong_type", "context.tags")),
        (#"{"tags":5}"#, #""tags":6"#, Verdict("wrong_type", "tags")),
        (#"{"tags":5}"#, #""tags":{"a":"("}"#, Verdict("bad_format", "tags.a")),
        (#"{"tags":5}"#, #""tags":{"a":""}"#, Verdict("wrong_type", "context.tags")),
        (#"{"tags":5}"#, #""tags":{"A":"b"}"#, Verdict("bad_format", "tags")),
        (#"{"tags":{"a":5}}"#, #""tags":{"a":"own"}"#, nil),
        (#"{"tags":{"a":5}}"#, #""tags":{"\u0061":"own"}"#, nil),
        (#"{"tags":{"a":5}}"#, #""tags":{"a":null}"#, Verdict("wrong_type", "context.tags.a")),
        (#"{"tags":{"a":null}}"#, "", nil),
        (#"{"tags":{"a":5}}"#, #""tags":{"a":""}"#, Verdict("wrong_type", "context.tags.a")),
        (#"{"tags":{"a":""}}"#, "", nil),
        (#"{"tags":{"A":"x","b":5}}"#, "", Verdict("bad_format", "context.tags")),
        (#"{"tags":{"b":"(","c":5}}"#, "", Verdict("bad_format", "context.tags.b")),
        (#"{"tags":{"b":5}}"#, #""tags":{"a":"(","c":1}"#, Verdict("bad_format", "tags.a")),
        (#"{"tags":{"B":"x"}}"#, #""tags":{"a":"("}"#, Verdict("bad_format", "tags.a")),
        (#"{"tags":{"a":"1","b":"2","c":"3","d":"4"}}"#, #""tags":{"e":"5","f":"6","g":"7","h":"8"}"#, nil),
        (
            #"{"tags":{"a":"1","b":"2","c":"3","d":"4","e":"5"}}"#, #""tags":{"f":"6","g":"7","h":"8","i":"9"}"#,
            Verdict("out_of_range", "tags")
        ),
        (
            #"{"tags":{"a":"1","b":"2","c":"3","d":"4","e":"5"}}"#, #""tags":{"e":"6","f":"7","g":"8","h":"9"}"#,
            nil
        ),
        (
            #"{"tags":{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6","g":"7","h":"8","i":"9"}}"#, "",
            Verdict("out_of_range", "context.tags")
        ),
        (
            #"{"tags":{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6","g":"7","h":"8","i":"9"}}"#, #""tags":{}"#,
            Verdict("out_of_range", "context.tags")
        ),
    ]

    @Test("is judged where it is applied, in the field's place", arguments: faults)
    func isJudged(_ context: String, _ members: String, _ expected: Verdict?) throws {
        let event = members.isEmpty ? Request.event() : Request.event(members)
        #expect(try verdict(context, event) == expected)
        // Its place among the document's keys means nothing.
        let after = "{\"events\":[\(event)],\"context\":\(context)}"
        #expect(try Request.decode(after).rejections.first.map(Verdict.init) == expected)
    }

    @Test("gives tags key by key, the event's own first; all in the order of their bytes")
    func mergesTags() throws {
        let batch = try decode(
            #"{"tags":{"z":"c","b":"c","a_":"\"c\""}}"#, Request.event(),
            Request.event(#""tags":{"b":"own","a0":"\\"}"#),
            Request.event(#""tags":{"b":"own","a0":"\\"}"#), Request.event(#""tags":null"#))
        let texts = batch.plays.map { batch.string($0.tags) }
        let inherited = #"{"a_":"\"c\"","b":"c","z":"c"}"#
        let merged = #"{"a0":"\\","a_":"\"c\"","b":"own","z":"c"}"#
        #expect(texts == [inherited, merged, merged, inherited])
    }

    @Test("stands in where an event's text or tag is empty, which says as little as null")
    func standsInForEmpty() throws {
        let batch = try decode(
            #"{"cdn":"c","cdnRegion":"","player":"p","tags":{"a":"1","b":""}}"#,
            Request.event(#""cdn":"","player":"","sessionId":"","tags":{"a":"","c":"\u0033","d":""}"#),
            header: Array("edge".utf8))
        #expect(batch.plays.map { batch.string($0.cdn) } == ["c"])
        #expect(batch.plays.map { batch.string($0.player) } == ["p"])
        #expect(batch.plays.map { batch.string($0.cdnRegion) } == ["edge"])
        #expect(batch.plays.map { batch.string($0.sessionId) } == [nil])
        #expect(batch.plays.map { batch.string($0.tags) } == [#"{"a":"1","c":"3"}"#])
    }

    @Test("names the region where the event doesn't, and the header where neither does")
    func namesRegion() throws {
        let header = Array("hdr".utf8)
        let own = Request.event(#""cdnRegion":"own""#)
        let both = try decode(#"{"cdnRegion":"ctx"}"#, own, Request.event(), header: header)
        #expect(both.plays.map { both.string($0.cdnRegion) } == ["own", "ctx"])
        #expect(both.plays.map(\.regionFrom) == [.event, .context])
        let without = try decode("null", own, Request.event(), Request.event(#""cdnRegion":null"#), header: header)
        #expect(without.plays.map { without.string($0.cdnRegion) } == ["own", "hdr", "hdr"])
        #expect(without.plays.map(\.regionFrom) == [.event, .header, .header])
        let bad = try decode(#"{"cdnRegion":"(x)"}"#, Request.event(), header: header)
        #expect(bad.rejections.map(Verdict.init) == [Verdict("bad_format", "context.cdnRegion")])
    }

    static let headers: [([UInt8], Bool)] = [
        (Array("eu-west".utf8), true), (Array("é".utf8), true), (Array("a(b)".utf8), true), ([], false),
        (Array("(unknown)".utf8), false), ([UInt8](repeating: 0x61, count: 128), true),
        ([UInt8](repeating: 0x61, count: 129), false), (Array("a\tb".utf8), false), ([0x61, 0x7F], false),
        ([0xC2, 0x80], false), ([0xC2, 0xA0], true), ([0xFF], false), ([0x61, 0xC3], false), ([0x61, 0x00], false),
    ]

    @Test("yields to no region header that is not plain text of 1 to 128 bytes", arguments: headers)
    func judgesHeader(_ header: [UInt8], _ isTaken: Bool) throws {
        let batch = try decode("null", Request.event(), header: header)
        #expect(batch.plays[0].cdnRegion.isAbsent != isTaken)
        #expect((batch.plays[0].regionFrom == .header) == isTaken)
        #expect(!isTaken || Array(batch[batch.plays[0].cdnRegion]) == header)
    }
}
