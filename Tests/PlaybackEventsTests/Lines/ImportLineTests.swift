import PlaybackEvents
import Testing

@Suite("A line of an import")
struct ImportLineTests {
    private func parse(_ line: String) throws(LineError) -> ImportLine {
        try ImportLine.parse(Array(line.utf8))
    }

    @Test("names the time of receipt, the body and the region header")
    func wrapper() throws {
        let line = #" {"receivedAt": 1795738060479, "body": {"events": []}, "regionHeader": "eu-\u0077est"} "#
        let parsed = try parse(line)
        #expect(parsed.receivedAt == 1_795_738_060_479)
        #expect(String(decoding: Array(line.utf8)[parsed.body], as: UTF8.self) == #"{"events": []}"#)
        #expect(parsed.regionHeader == Array("eu-west".utf8))
        #expect(try parse(#"{"receivedAt":1,"body":{},"regionHeader":null}"#).regionHeader == nil)
    }

    @Test("is a body by itself without a body in it")
    func bare() throws {
        let line = #"{"events": [{"videoId": "v"}], "receivedAt": 5}"#
        #expect(try parse(line) == ImportLine(body: 0..<line.utf8.count))
        let both = #"{"events": [], "body": {}}"#
        #expect(try parse(both) == ImportLine(body: 0..<both.utf8.count))
    }

    @Test("may be what a player reported, and the query of the address")
    func reports() throws {
        let line = #"{"receivedAt": 7, "cmcd": "a=\"b\"\n", "contentType": null, "query": "cdn=x"}"#
        let parsed = try parse(line)
        #expect(parsed.receivedAt == 7)
        #expect(parsed.cmcd == ImportLine.CMCD(body: Array("a=\"b\"\n".utf8), query: Array("cdn=x".utf8)))
        #expect(try parse(#"{"cmcd": "x", "events": []}"#).cmcd == nil)
    }

    @Test("may begin with a byte order mark")
    func byteOrderMark() throws {
        let bare = "\u{FEFF}{}"
        #expect(try parse(bare).body == 0..<5)
        let line = "\u{FEFF}{\"receivedAt\": 1, \"body\": {}}"
        #expect(String(decoding: Array(line.utf8)[try parse(line).body], as: UTF8.self) == "{}")
    }

    @Test(
        "is refused when it is no object, or when what belongs to its body is missing or wrong",
        arguments: [
            "", "[]", "x", #"{"body": {}}"#, #"{"receivedAt": 1.5, "body": {}}"#, #"{"receivedAt": "1", "body": {}}"#,
            #"{"receivedAt": 1, "body": []}"#, #"{"receivedAt": 1, "body": {}, "regionHeader": 3}"#,
            #"{"receivedAt": 1, "body": {}} {}"#, #"{"receivedAt": -1, "body": {}}"#,
            #"{"receivedAt": 253402300800000, "body": {}}"#, "\u{FEFF}\u{FEFF}{}", #"{"cmcd": "x"}"#,
            #"{"receivedAt": 1, "cmcd": null}"#, #"{"receivedAt": 1, "cmcd": "x", "query": 3}"#,
            #"{"receivedAt": 1, "cmcd": "x", "contentType": []}"#,
        ])
    func refused(line: String) {
        #expect(throws: LineError.self) { try parse(line) }
    }
}
