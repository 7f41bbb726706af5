import PlayFolding
import PlaybackEvents
import TestSupport
import Testing

@Suite("The parser of CMCD")
struct CMCDParserTests {
    private func parse(_ body: String) -> CMCDBatch { CMCDParser.parse(body: Array(body.utf8)) }

    private let least = "sid=\"s\",cid=\"c\",ts=1796000000000"

    @Test("keeps what plays are made of, and nothing else")
    func keeps() throws {
        let batch = parse(
            "br=(5000;v 320;a),ab=900,pb=800.4,bl=(4300;v 1200;a),msd=12.5,cid=\"a \\\"clip\\\"\",e=ce,cen=\"leave\","
                + "ec=(\"A\" \"B\"),sid=\"s\",sn=7,sta=p,ts=1796000000000,v=2,url=\"https://a/b\",nr,mtp=(500)\n")
        let report = try #require(batch.reports.first)
        #expect(batch.reports.count == 1 && batch.faults.isEmpty && batch.ignoredKeys == 0 && batch.lines == 1)
        #expect(report.br == 5_320 && report.ab == 900 && report.pb == 800 && report.bl == 1_200 && report.msd == 13)
        #expect(report.cid == Array("a \"clip\"".utf8) && report.sid == Array("s".utf8) && report.sn == 7)
        #expect(report.event == CMCDToken("ce") && report.customEvent == Array("leave".utf8))
        #expect(report.state == CMCDToken("p") && report.errorCode == Array("A".utf8) && report.version == 2)
    }

    @Test("ignores and counts what it does not know and what is of another kind")
    func ignores() throws {
        let bad = [
            "com.example-Key=1", "sn=1.5", "sn=\"1\"", "sta=\"p\"", "sta=notatoken1", "br=()", "br=-1", "br=(a)",
            "bl=a", "msd=-1",
            "msd=3600001", "cen=leave", "cen=\"\"", "v=0", "ec", "e=?1", "sn=(1)", "sn=-1", "br=1000001",
        ]
        for member in bad {
            let batch = parse("\(least),\(member)")
            #expect(batch.reports == parse(least).reports, "\(member)")
            #expect(batch.ignoredKeys == 1, "\(member)")
        }
        let parameters = parse("\(least);a;b=\"x\";c=?0;d=:YQ==:,x=@12;y=%\"a\"")
        #expect(parameters.reports == parse(least).reports && parameters.ignoredKeys == 1)
    }

    @Test("ignores numbers whose sum no number holds", arguments: ["br", "ab", "pb", "bl"])
    func largest(key: String) {
        let most = Array(repeating: "999999999999999", count: 9) + ["223372036854784", "0.807"]
        let many = Array(repeating: "999999999999999", count: 300) + most
        for numbers in [most, many, ["999999999999999"], ["999999999999.999", "1"]] {
            let batch = parse("\(least),\(key)=(\(numbers.joined(separator: " ")))")
            // Of buffers the shortest counts.
            var expected = parse(least).reports
            if key == "bl", numbers.count > 1 { expected[0].bl = 1 }
            #expect(batch.reports == expected, "\(numbers.count)")
            #expect(batch.ignoredKeys == (expected[0].bl == nil ? 1 : 0))
        }
    }

    @Test("takes the last of a key that comes twice")
    func twice() {
        #expect(parse("\(least),sn=1,sn=2").reports.first?.sn == 2)
        #expect(parse("\(least),sn=1,sn=a").reports.first?.sn == nil)
        #expect(parse("\(least),sid=7").faults.first?.field == "sid")
    }

    @Test(
        "sets lines aside that are no report, and says which key is at fault",
        arguments: [
            ("sid=\"s\",cid=\"c\"", "ts"), ("sid=\"s\",cid=\"c\",ts=0", "ts"), ("sid=\"s\",cid=\"c\",ts=\"1\"", "ts"),
            ("sid=\"s\",cid=\"c\",ts=253402300800000", "ts"), ("cid=\"c\",ts=1", "sid"),
            ("sid=\"\",cid=\"c\",ts=1", "sid"),
            ("sid=s,cid=\"c\",ts=1", "sid"), ("sid=\"s\",ts=1", "cid"), ("sid=\"s\",cid=\"(c)\",ts=1", "cid"),
            ("sid=\"s\",cid=\"c\u{85}\",ts=1", "cid"), ("hello", "ts"), ("{\"a\":1}", ""), ("sid=\"s", ""),
            ("sid=\"s\",,ts=1", ""), ("sid=\"s\" ts=1", ""), ("ts=1,", ""), ("=1", ""), ("ts=", ""), ("br=(1 2", ""),
            ("br=(1,2)", ""), ("ts=1234567890123456", ""), ("ts=1.2345", ""), ("a=\"\\x\"", ""), ("a=?2", ""),
            ("a=:b", ""),
        ])
    func faults(line: String, field: String) throws {
        let batch = parse("\(least)\n\(line)\n\(least),sn=1\n")
        #expect(batch.reports.count == 2 && batch.lines == 3)
        let fault = try #require(batch.faults.first)
        #expect(batch.faults.count == 1 && fault.index == 1 && fault.field == field && fault.raw == Array(line.utf8))
    }

    @Test("keeps the first bytes of a line that is too long, and leaves lines that are too many")
    func limits() {
        let long = parse("\(least),x=\"\(String(repeating: "a", count: CMCDLimits.line))\"\n\(least)")
        #expect(long.reports.count == 1 && long.faults.map(\.field) == [""])
        #expect(long.faults.first?.raw.count == CMCDLimits.keptBytes)
        let many = parse(String(repeating: "\(least)\r\n\n", count: CMCDLimits.lines + 5))
        #expect(many.reports.count == CMCDLimits.lines && many.linesTooMany == 5 && many.faults.isEmpty)
    }

    @Test("leaves reports of a later version and counts them")
    func versions() {
        let batch = parse("\(least),v=3\n\(least),v=1\n\(least),v=2\n\(least)")
        #expect(batch.laterVersions == 1 && batch.reports.count == 3 && batch.faults.isEmpty)
    }

    @Test("undoes percent-encoding once where a line has no equals sign, and lets plus signs be")
    func percent() {
        func encoded(_ text: String) -> String {
            text.utf8.map { "%" + String(256 + Int($0), radix: 16).dropFirst() }.joined()
        }
        #expect(parse(encoded(least)).reports == parse(least).reports)
        let plus = "sid%3D%22a+b%2525%22%2Ccid%3D%22c%22%2Cts%3D1"
        #expect(parse(plus).reports.first?.sid == Array("a+b%25".utf8))
        #expect(parse("%zz%4").faults.map(\.field) == [""])
        let query = CMCDParser.parse(query: Array("key=1&CMCD=\(plus)&x=y".utf8))
        #expect(query?.reports.first?.sid == Array("a+b%25".utf8))
        #expect(CMCDParser.parse(query: Array("key=1".utf8)) == nil)
    }

    @Test("takes the four headers for one report")
    func headers() {
        let headers = ["sid=\"s\",cid=\"c\",v=2", " sn=2,sta=p,ts=5 ", "", "e=ps"].map { Array($0.utf8) }
        let batch = CMCDParser.parse(headers: headers)
        #expect(batch?.reports == parse("sid=\"s\",cid=\"c\",v=2,sn=2,sta=p,ts=5,e=ps").reports)
        #expect(CMCDParser.parse(headers: []) == nil)
    }

    @Test("calls an error fatal whose code no report could print")
    func codes() {
        func code(_ text: String) -> String? {
            parse("\(least),ec=\(text)").reports.first.map { String(decoding: $0.errorCode, as: UTF8.self) }
        }
        #expect(code("27") == "27" && code("-5") == "-5" && code("(\"a\" 2)") == "a" && code("tok") == "tok")
        #expect(code("\"(x)\"") == "fatal" && code("\"\(String(repeating: "x", count: 65))\"") == "fatal")
        #expect(code("\"\"") == "fatal" && code("1.5") == "" && code("()") == "")
    }

    @Test("survives any bytes")
    func anything() {
        var random = SeededGenerator(seed: 3)
        let seed = Array("br=(5000;v 320;a),cid=\"a\\\"b\",e=ps,sid=\"s\",sn=7,sta=p,ts=1796000000000,v=2\n".utf8)
        for _ in 0..<5_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let batch = CMCDParser.parse(body: bytes)
            #expect(batch.reports.count + batch.faults.count + batch.laterVersions == batch.lines)
        }
    }
}
