import Foundation
import PlaybackEvents
import TestSupport
import Testing

@Suite("A line of the quarantine")
struct QuarantineLineTests {
    private func parse(_ line: [UInt8]) throws -> QuarantineLine {
        try QuarantineLine.parse(line.span.bytes)
    }

    @Test("keeps a rejected event byte for byte, with code, field, time and request")
    func keepsBytes() throws {
        let events = [
            "{ \"videoId\" : \"a\\n\\u0000\\ud800\",\r\n\t\"x\":\"\u{2028}😀\" }", "\"\"", "null", "[\n]",
            Request.event("\"cdn\":5"),
        ]
        let body = Array(Request.body(events: events + [Request.event()]).utf8)
        let batch = try Request.decode(body)
        var lines: [UInt8] = []
        QuarantineLine.append(batch, body: body, to: &lines)
        let read = try lines.split(separator: 0x0A).map { try parse(Array($0)) }
        #expect(read.map { String(decoding: $0.raw, as: UTF8.self) } == events)
        for (line, rejection) in zip(read, batch.rejections) {
            #expect(line.requestId == batch.receipt.requestId && line.receivedAt == batch.receipt.receivedAt)
            #expect(line.index == Int64(rejection.index))
            #expect(Verdict(line.code, line.field) == Verdict(rejection))
        }
    }

    @Test("is JSON as others read it, with the bytes in Base64 where they are no UTF-8")
    func isPlainJSON() throws {
        var random = SeededGenerator(seed: 5)
        for length in 0..<300 {
            let raw = (0..<length).map { _ in
                length % 2 == 0 ? UInt8.random(in: 0...127, using: &random) : UInt8.random(in: 0...255, using: &random)
            }
            let line = QuarantineLine(
                receivedAt: Int64(length), requestId: Identifier128(high: random.next(), low: random.next()),
                index: Int64(length), code: "not_loaded", field: "a\"b\n", raw: raw)
            var lines: [UInt8] = []
            line.append(to: &lines)
            #expect(lines.last == 0x0A && !lines.dropLast().contains(0x0A))
            #expect(try parse(lines.dropLast()) == line)
            let json = try #require(try JSONSerialization.jsonObject(with: Data(lines)) as? [String: Any])
            if let text = json["raw"] as? String {
                #expect(Array(text.utf8) == raw)
            } else {
                #expect(Data(base64Encoded: json["rawBase64"] as? String ?? "?") == Data(raw))
                #expect(String(validating: raw, as: UTF8.self) == nil)
            }
            #expect(json["requestId"] as? String == line.requestId.hexadecimalText)
        }
    }

    @Test("keeps what the request gave the event: the context byte for byte, and the header's region")
    func keepsContext() throws {
        let context = "{ \"sessionId\" :\n\"s\\u0031\",\t\"cdn\":5, \"later\":[{}] }"
        let body = Array(Request.body("\"context\":\(context)", events: [Request.event(), "3"]).utf8)
        let regions: [([UInt8], [UInt8]?)] = [
            (Array("eu-\u{e9}".utf8), Array("eu-\u{e9}".utf8)), (Array("(none)".utf8), nil), ([0xff], nil), ([], nil),
        ]
        for (header, kept) in regions {
            var lines: [UInt8] = []
            QuarantineLine.append(try Request.decode(body, regionHeader: header), body: body, to: &lines)
            let read = try lines.split(separator: 0x0A).map { try parse(Array($0)) }
            #expect(read.map(\.index) == [0, 1])
            #expect(read.allSatisfy { $0.context == .kept(Array(context.utf8)) && $0.regionHeader == kept })
        }
    }

    @Test("names only the length of a context that is too long to stand in every line")
    func boundsContext() throws {
        let most = QuarantineLine.longestContext
        for length in [most, most + 1] {
            let context = #"{"x":""# + String(repeating: "y", count: length - 8) + #""}"#
            let body = Array(Request.body("\"context\":\(context)", events: ["3"]).utf8)
            var lines: [UInt8] = []
            QuarantineLine.append(try Request.decode(body), body: body, to: &lines)
            let kept = QuarantineLine.Context.kept(Array(context.utf8))
            #expect(try parse(lines.dropLast()).context == (length > most ? .tooLong(bytes: Int64(length)) : kept))
        }
    }

    @Test("that could not be ours is a fault")
    func refusesForeign() throws {
        let sound =
            #"{"receivedAt":1,"requestId":"0123456789abcdef000000000000002a","index":2,"code":"c","field":"","raw":"{}"}"#
        #expect(try parse(Array(sound.utf8)).raw == Array("{}".utf8))
        let edits = [
            ("\"receivedAt\":1", "\"receivedAt\":1.5"), ("\"index\":2,", ""), ("\"c\"", "5"), ("\"field\"", "\"feld\""),
            ("2a", "2"), ("\"raw\":\"{}\"", "\"raw\":{}"), ("\"raw\":\"{}\"", "\"rawBase64\":\"!\""),
            ("\"raw\":\"{}\"", "\"rawBase64\":\"YQ=\""), ("\"raw\":\"{}\"", "\"rawBase64\":\"YR==\""),
            ("\"raw\":\"{}\"", "\"rawBase64\":\"A===\""), ("{}", "\\ud800"), ("{\"r", "{\"index\":2,\"r"), ("}", ""),
        ]
        for (old, new) in edits {
            let line = sound.replacingOccurrences(of: old, with: new)
            #expect(line != sound)
            #expect(throws: LineError.self, "\(line)") { try parse(Array(line.utf8)) }
        }
        for length in 0..<sound.utf8.count {
            #expect(throws: LineError.self) { try parse(Array(sound.utf8.prefix(length))) }
        }
    }
}
