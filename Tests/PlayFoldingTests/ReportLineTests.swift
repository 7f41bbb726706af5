import PlayFolding
import PlaybackEvents
import TestSupport
import Testing

@Suite("A line of the log of reports")
struct ReportLineTests {
    private func parse(_ line: some Sequence<UInt8>) throws -> ReportLine {
        try ReportLine.parse(Array(line).span.bytes)
    }

    private func written(_ line: ReportLine) -> [UInt8] {
        var bytes: [UInt8] = []
        line.append(to: &bytes)
        return bytes
    }

    @Test("reads back as it was written", arguments: Recording.names)
    func recordings(name: String) throws {
        for line in try Recording(name).lines() {
            let bytes = written(line)
            #expect(bytes.last == 0x0A && bytes.filter { $0 == 0x0A }.count == 1)
            #expect(try parse(bytes.dropLast()) == line)
        }
    }

    @Test("holds hostile names, every field and the address' parameters")
    func everything() throws {
        var line = Reports.line(at: 5, Reports.parse("0 1 ce p cen=\"leave\" ec=27 br=5 ab=6 pb=7 bl=8 msd=9 v=2"))
        line.reports[0].sid = Array("\"\\\u{7}\u{2028}é".utf8.filter { $0 != 7 })
        line.keyName = Array("k\"\\y".utf8)
        let parsed = ReportContext.parse([
            ("key", "secret"), ("CMCD", "x"), ("cdn", "fastly"), ("cdnRegion", "eu"), ("network", "wifi"),
            ("appVersion", "1"),
            ("player", "hls.js"), ("source", "stream"), ("heartbeat", "2.5"), ("tag.b", "\"x\\"), ("tag.a", "é"),
        ])
        #expect(parsed.ignored == 0 && parsed.context.heartbeatMs == 2_500)
        #expect(parsed.context.tags == Array("{\"a\":\"é\",\"b\":\"\\\"x\\\\\"}".utf8))
        line.context = parsed.context
        let bytes = written(line)
        #expect(try parse(bytes.dropLast()) == line)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
    }

    @Test("without reports is a tick")
    func tick() throws {
        let line = Reports.line(at: 7, heartbeatMs: nil)
        #expect(
            String(decoding: written(line), as: UTF8.self).hasPrefix("{\"receivedAt\":1796000000007,\"requestId\":\""))
        #expect(try parse(written(line).dropLast()) == line)
    }

    @Test("ignores and counts parameters that the contract would refuse")
    func parameters() {
        let parsed = ReportContext.parse([
            ("cdn", "(none)"), ("network", ""), ("player", String(repeating: "x", count: 129)), ("heartbeat", "-1"),
            ("heartbeat", "1e3"), ("tag.A", "x"), ("tag.a", "a\u{1}"), ("other", "x"), ("cdnRegion", "eu"),
        ])
        var expected = ReportContext()
        expected.cdnRegion = Array("eu".utf8)
        #expect(parsed.context == expected && parsed.ignored == 7)
        let many = ReportContext.parse((0..<9).map { ("tag.a\($0)", "x") })
        #expect(many.ignored == 1)
    }

    @Test(
        "is refused where it is damaged",
        arguments: [
            "", "{}", "[]", "{\"receivedAt\":1}", "{\"receivedAt\":1,\"requestId\":\"12\"}",
            "{\"reports\":[{\"ts\":1,\"sid\":\"s\"}],\"receivedAt\":1,\"requestId\":\"0000000000000001000000000000002a\"}",
            "{\"reports\":[5],\"receivedAt\":1,\"requestId\":\"0000000000000001000000000000002a\"}",
            "{\"reports\":5,\"receivedAt\":1,\"requestId\":\"0000000000000001000000000000002a\"}",
            "{\"receivedAt\":1,\"receivedAt\":1,\"requestId\":\"0000000000000001000000000000002a\"}",
            "{\"cdn\":\"(x)\",\"receivedAt\":1,\"requestId\":\"0000000000000001000000000000002a\"}",
            "{\"heartbeatMs\":-1,\"receivedAt\":1,\"requestId\":\"0000000000000001000000000000002a\"}",
            "{\"tags\":[],\"receivedAt\":1,\"requestId\":\"0000000000000001000000000000002a\"}",
            "{\"receivedAt\":1,\"requestId\":\"0000000000000001000000000000002a\"} ",
        ])
    func damaged(line: String) {
        #expect(throws: LineError.self) { try parse(line.utf8) }
    }
}
