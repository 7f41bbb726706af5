import PlaybackEvents
import TestSupport
import Testing

@Suite("A request that is not taken")
struct RequestErrorTests {
    static let brokenTexts: [(String, Int)] = [
        ("", 0), (" ", 1), ("{", 1), ("{\"events\":[]", 12), ("{\"events\":[]}}", 13), ("{\"a\" 1}", 5),
        ("{\"a\":}", 5), ("{\"a\":1 \"b\":2}", 7), ("{,}", 1), ("{\"a\":1,}", 7), ("{1:2}", 1), ("[1,]", 3),
        ("[1 2]", 3), ("[,1]", 1), ("[1}", 2), ("{\"a\":1]", 6), ("]", 0), ("nul", 3), ("nulL", 3), ("truE", 3),
        ("falsy", 4), ("nullx", 4), ("-", 1), ("-x", 1), ("01", 1), ("-01", 2), ("1.", 2), ("1.e1", 2), ("1e", 2),
        ("1e+", 3), ("1e+x", 3), (".5", 0), ("+1", 0), ("0x1", 1), ("1_000", 1), ("Infinity", 0), ("'a'", 0),
        ("\"a", 2), ("\"\\", 2), ("\"\\x\"", 2), ("\"\\u12G4\"", 5), ("\"\\u12", 5), ("\"\\ud83d\\u12\"", 11),
        ("\"a\nb\"", 2), ("\"a\tb\"", 2), ("\"\u{0}\"", 1), ("{}\u{0}", 2), ("//\n{}", 0), ("{}#", 2), ("\u{c}{}", 0),
        ("\u{a0}{}", 0), ("{\"events\":[{\"videoId\":\"v1\" \"stalls\":0}]}", 27), ("{\"events\":[{}{}]}", 13),
        ("{\"events\":[{\"stalls\":01}]}", 22), ("{\"events\":[{\"stalls\":00}]}", 22),
        ("{\"events\":[{\"stalls\":1a}]}", 22), ("{\"events\":[{\"tags\":{\"a\":\"b\",}}]}", 28),
        ("{\"events\":[{\"error\":{\"code\":+1}}]}", 28), ("{\"context\":{\"cdn\":\"a\",}}", 22),
        ("{\"sender\":{\"made\":.5}}", 18), ("{\"events\":[],\"schemaVersion\":1.}", 31),
    ]

    @Test("names the first byte that can't continue a document", arguments: brokenTexts)
    func namesOffset(_ text: String, _ offset: Int) {
        let fault = Request.fault(of: Array(text.utf8))
        #expect(fault?.code == .invalidJSON)
        #expect(fault?.offset == offset)
        #expect(ReferenceJSON.fault(in: Array(text.utf8)) == offset)
    }

    static let noUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
        [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ]

    @Test("names the start of bytes that are no UTF-8, wherever they stand", arguments: noUTF8)
    func namesBadSequence(_ sequence: [UInt8]) {
        for (before, after) in [
            ("{\"x\":\"", "\"}"), ("{\"", "\":1}"), ("{\"x\":\"\\n", "\"}"), ("{\"events\":[{\"videoId\":\"é", "\"}]}"),
            ("{\"x\":\"0123456789abcdef", ""), ("{\"context\":{\"cdn\":\"", "\"}}"),
        ] {
            let body = Array(before.utf8) + sequence + Array(after.utf8)
            let fault = Request.fault(of: body)
            #expect(fault?.code == .invalidJSON)
            #expect(fault?.offset == before.utf8.count)
        }
    }

    @Test("that stops too early names its end, wherever it stops")
    func namesEnd() {
        let event = Request.event(
            #""error":{"domain":"d","code":-1.5e+3}"#, #""tags":{"a":"\u00e9"}"#, #""x":[true,false,null,{}]"#)
        let body = Array(Request.body(#""context":{"cdn":"a\nb"}"#, events: [event, "[]"]).utf8)
        #expect(Request.fault(of: body) == nil)
        for length in 0..<body.count {
            let fault = Request.fault(of: Array(body[..<length]))
            #expect(fault?.code == .invalidJSON)
            #expect(fault?.offset == length)
        }
    }

    @Test("counts a byte order mark, and skips one alone")
    func countsByteOrderMark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(Request.fault(of: mark + Array(#"{"events":[]}"#.utf8)) == nil)
        #expect(Request.fault(of: mark)?.offset == 3)
        #expect(Request.fault(of: mark + mark + Array("{}".utf8))?.offset == 3)
        #expect(Request.fault(of: mark + Array("{]".utf8))?.offset == 4)
        #expect(Request.fault(of: [0xEF, 0xBB])?.offset == 0)
    }

    static let ordered: [(String, RequestError.Code)] = [
        // Each text has all the faults of those below it too.
        (#"[{"a":1,"a":"\ud800"}]]"#, .invalidJSON),
        (#"[{"a":1,"a":"\ud800"}]"#, .invalidJSON),
        (#"[{"a":1,"a":1}]"#, .invalidShape),
        (#"{"schemaVersion":2,"context":1,"events":5,"a":"\udc00","a":1}"#, .invalidJSON),
        (#"{"schemaVersion":2,"context":1,"events":5,"a":1,"a":1}"#, .duplicateKey),
        (#"{"schemaVersion":2,"context":1,"events":5}"#, .unsupportedVersion),
        (#"{"schemaVersion":1,"context":1,"events":5}"#, .invalidShape),
        (#"{"schemaVersion":true,"events":[]}"#, .unsupportedVersion),
        (#"{"schemaVersion":1.5,"events":[]}"#, .unsupportedVersion),
        (#"{"schemaVersion":-1,"events":[]}"#, .unsupportedVersion),
        (#"{"schemaVersion":1e400,"events":[]}"#, .unsupportedVersion),
        (#"{"schemaVersion":[1],"events":[]}"#, .unsupportedVersion),
        (#"{"schemaVersion":18446744073709551617,"events":[]}"#, .unsupportedVersion),
        (#"{"events":[],"event\u0073":[]}"#, .duplicateKey),
        (#"{"events":[],"x":{"y":[{"k":1,"\u006b":2}]}}"#, .duplicateKey),
        (#"{"events":[],"sender":{"made":1,"made":1}}"#, .duplicateKey),
        (#"{"events":[],"context":{"tags":{"a":"b","a":"b"}}}"#, .duplicateKey),
        (#"{"events":[],"context":{"x":{"\ud800":1}}}"#, .invalidJSON),
        (#"{"events":[],"\udfff":1}"#, .invalidJSON),
        (#"{"events":[],"sender":[]}"#, .invalidShape),
        (#"{"events":{}}"#, .invalidShape),
        (#"{"Events":[]}"#, .invalidShape),
        (#"{}"#, .invalidShape),
        (#"null"#, .invalidShape),
        (#""events""#, .invalidShape),
    ]

    @Test("is answered for its first fault in the contract's order", arguments: ordered)
    func answersFirst(_ text: String, _ code: RequestError.Code) {
        let fault = Request.fault(of: Array(text.utf8))
        #expect(fault?.code == code)
        #expect(fault?.status == 400)
    }

    @Test("has no offset for a lone surrogate or too many levels")
    func hasNoOffset() {
        let deep = "{\"events\":[],\"x\":" + String(repeating: "[", count: 16) + String(repeating: "]", count: 16) + "}"
        for text in [#"{"events":[],"x":"\ud800"}"#, deep] {
            let fault = Request.fault(of: Array(text.utf8))
            #expect(fault?.code == .invalidJSON)
            #expect(fault?.offset == nil)
        }
        let legal =
            "{\"events\":[],\"x\":" + String(repeating: "[", count: 15) + String(repeating: "]", count: 15) + "}"
        #expect(Request.fault(of: Array(legal.utf8)) == nil)
    }

    @Test("of more than 1,000 events is answered after everything else")
    func answersCountLast() {
        let many = [String](repeating: "{}", count: 1_001)
        #expect(Request.fault(of: Array(Request.body(events: many).utf8))?.status == 413)
        #expect(Request.fault(of: Array(Request.body(events: many).utf8))?.limit == 1_000)
        let others: [(String, RequestError.Code)] = [
            (Request.body(events: many) + "x", .invalidJSON),
            (Request.body(#""a":1,"a":1"#, events: many), .duplicateKey),
            (Request.body(#""schemaVersion":2"#, events: many), .unsupportedVersion),
            (Request.body(#""sender":1"#, events: many), .invalidShape),
        ]
        for (body, code) in others { #expect(Request.fault(of: Array(body.utf8))?.code == code) }
        // What stands in an event too many is no fault outside the events.
        let odd = Request.body(events: [String](repeating: #"{"a":"\ud800","a":1}"#, count: 1_001))
        #expect(Request.fault(of: Array(odd.utf8))?.code == .tooLarge)
    }

    @Test("of more than 8 MiB is too large")
    func isTooLarge() {
        let body = [UInt8](repeating: 0x20, count: ContractLimits.inflatedBody + 1)
        #expect(Request.fault(of: body)?.code == .tooLarge)
        #expect(Request.fault(of: body)?.limit == ContractLimits.inflatedBody)
        #expect(Request.fault(of: Array(body.dropLast()))?.code == .invalidJSON)
    }
}
