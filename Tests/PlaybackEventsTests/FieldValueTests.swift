import PlaybackEvents
import Testing

@Suite("A field's value")
struct FieldValueTests {
    private func play(_ member: String) throws -> Result<Play, Rejected> {
        let batch = try Request.decode(Request.body(events: [Request.event(member)]))
        if let play = batch.plays.first { return .success(play) }
        return .failure(Rejected(verdict: Verdict(batch.rejections[0])))
    }

    struct Rejected: Error {
        var verdict: Verdict
    }

    private func outcome(_ member: String, _ value: (Play) -> Int64?) throws -> String {
        switch try play(member) {
        case .success(let play): value(play).map(String.init) ?? "absent"
        case .failure(let rejected): rejected.verdict.code
        }
    }

    static let zeros = String(repeating: "0", count: 5_000)

    static let integers: [(String, String)] = [
        ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("0e5", "0"), ("-0e-5", "0"), ("0e999999999999", "0"), ("1", "1"),
        ("1.0", "1"), ("1.000000000000000000000000", "1"), ("1e0", "1"), ("10E-1", "1"), ("0.1e1", "1"),
        ("1e+3", "1000"),
        ("0.00123e5", "123"), ("12300e-2", "123"), ("123.4500e2", "12345"), ("1e15", "1000000000000000"),
        ("9007199254740992", "9007199254740992"), ("9007199254740992.0", "9007199254740992"),
        ("9.007199254740992e15", "9007199254740992"), ("900719925474099200e-2", "9007199254740992"),
        ("9007199254740993", "out_of_range"), ("9007199254740993.0", "out_of_range"),
        ("9007199254740992.5", "not_whole"), ("9223372036854775807", "out_of_range"),
        ("9223372036854775808", "out_of_range"), ("18446744073709551616", "out_of_range"),
        ("18446744073709551617", "out_of_range"), ("99999999999999999999999999", "out_of_range"),
        ("-1", "out_of_range"), ("-9223372036854775808", "out_of_range"), ("-18446744073709551615", "out_of_range"),
        ("1e999999999", "out_of_range"), ("1e99999999999999999999999999", "out_of_range"),
        ("-1e999999999", "out_of_range"), ("1e-999999999", "not_whole"), ("1e-99999999999999999999999", "not_whole"),
        ("0.1", "not_whole"), ("1.5", "not_whole"), ("-0.5", "not_whole"), ("15e-1", "not_whole"),
        ("1234567890123456789012345.5", "not_whole"), ("1\(zeros)", "out_of_range"), ("1\(zeros)e-5000", "1"),
        ("0.\(zeros)1e5001", "1"), ("0.\(zeros)1", "not_whole"), ("0.\(zeros)", "0"),
        ("100000000000000000000e-20", "1"), ("18446744073709551617e-0", "out_of_range"),
        ("1e19", "out_of_range"), ("1e18", "out_of_range"), ("10000000000000000000e-19", "1"),
    ]

    @Test("that is an integer is judged by its exact decimal value, however it is written", arguments: integers)
    func judgesIntegers(_ text: String, _ expected: String) throws {
        #expect(try outcome("\"memoryBytes\":\(text)") { $0.memoryBytes } == expected)
        #expect(try outcome("\"memoryBytes\" : \(text) , \"x\":1") { $0.memoryBytes } == expected)
    }

    static let milliseconds: [(String, String)] = [
        ("0.5", "1"), ("0.4999999999999999999999999", "0"), ("412.3000000119209", "412"), ("411.5", "412"),
        ("-0.5", "0"), ("-0.50", "0"), ("-5e-1", "0"), ("-0.51", "out_of_range"),
        ("-0.5000000000000000000001", "out_of_range"),
        ("-0.49", "0"), ("-1.5", "out_of_range"), ("1e-400", "0"), ("-1e-400", "0"), ("3600000.4999", "3600000"),
        ("3600000.5", "out_of_range"), ("0.05e1", "1"), ("9999999999999999999.5", "out_of_range"),
        ("-9999999999999999999.6", "out_of_range"), ("1e400", "out_of_range"), ("0.\(zeros)5e5000", "1"),
        ("\"1.5\"", "wrong_type"),
    ]

    @Test("that is a time in ms is rounded half up before it is judged", arguments: milliseconds)
    func roundsMilliseconds(_ text: String, _ expected: String) throws {
        #expect(try outcome("\"startupMs\":\(text)") { $0.startupMs } == expected)
        #expect(try outcome("\"waitedMs\" : \(text) , \"x\":1") { $0.waitedMs } == expected)
    }

    @Test("that is the largest age may have a fraction that rounding takes away")
    func roundsLargestAge() throws {
        #expect(try outcome("\"ageMs\":9007199254740992.499") { $0.ageMs } == "9007199254740992")
        #expect(try outcome("\"ageMs\":9007199254740992.5") { $0.ageMs } == "out_of_range")
    }

    static let bitrates: [(String, String)] = [
        ("1", "1"), ("0", "absent"), ("-1", "absent"), ("-1e400", "absent"), ("-0.0", "absent"), ("0.4", "absent"),
        ("0.49999999999999999999999", "absent"), ("0.5", "1"), ("0.05", "absent"), ("5e-1", "1"), ("1.5", "2"),
        ("2.4999999999999999999999999999999", "2"), ("1000000000", "1000000000"), ("1e9", "1000000000"),
        ("999999999.5", "1000000000"), ("999999999.4999", "999999999"), ("1000000000.0", "1000000000"),
        ("1000000000.0000000000000000000000001", "out_of_range"), ("1000000000.4", "out_of_range"),
        ("1000000001", "out_of_range"), ("1e10", "out_of_range"), ("1e400", "out_of_range"), ("1e-400", "absent"),
        ("null", "absent"), ("\"1\"", "wrong_type"),
    ]

    @Test("that is the bitrate is rounded half up, and absent when nothing is left", arguments: bitrates)
    func roundsBitrates(_ text: String, _ expected: String) throws {
        #expect(try outcome("\"avgBitrate\":\(text)") { $0.avgBitrate } == expected)
    }

    static let times: [(String, String)] = [
        ("0", "0"), ("-1", "-1"), ("1.9", "1"), ("-1.9", "-1"), ("1795999999000.9", "1795999999000"),
        ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("9223372036854775808", "out_of_range"), ("-9223372036854775809", "out_of_range"),
        ("1e400", "out_of_range"), ("1e-400", "0"), ("\"1970-01-01T00:00:00Z\"", "0"),
        ("\"1969-12-31T23:59:59.9999Z\"", "-1"), ("\"2026-11-30T00:53:19.5+00:00\"", "1795999999500"),
        ("\"2026-11-30t00:53:19.05z\"", "1795999999050"), ("\"2026-11-30T00:53:19.0009-00:00\"", "1795999999000"),
        ("\"0000-01-01T00:00:00Z\"", "-62167219200000"), ("\"9999-12-31T23:59:59.999-23:59\"", "253402387139999"),
        ("\"2024-02-29T12:00:00Z\"", "1709208000000"), ("\"2000-02-29T00:00:00Z\"", "951782400000"),
        ("\"2026-11-30T00:53:19\\u005a\"", "1795999999000"),
        ("\"2026-02-29T00:00:00Z\"", "bad_format"), ("\"1900-02-29T00:00:00Z\"", "bad_format"),
        ("\"2026-04-31T00:00:00Z\"", "bad_format"), ("\"2026-00-01T00:00:00Z\"", "bad_format"),
        ("\"2026-13-01T00:00:00Z\"", "bad_format"), ("\"2026-01-00T00:00:00Z\"", "bad_format"),
        ("\"2026-01-01T23:60:00Z\"", "bad_format"), ("\"2026-12-31T23:59:60Z\"", "bad_format"),
        ("\"2026-01-01T00:00:00+24:00\"", "bad_format"), ("\"2026-01-01T00:00:00+01:60\"", "bad_format"),
        ("\"2026-11-30 00:53:19Z\"", "1795999999000"), ("\"2026-11-30T01:53:19+0100\"", "1795999999000"),
        ("\"2026-11-29 23:23:19,5-0130\"", "1795999999500"), ("\"2026-11-30T02:53:19+02\"", "1795999999000"),
        ("\"2026-11-30T00:53:19,1239Z\"", "1795999999123"),
        ("\"2026-01-01T00:00:00.Z\"", "bad_format"), ("\"2026-01-01T00:00:00,Z\"", "bad_format"),
        ("\"2026-01-01T00:00:00+010\"", "bad_format"), ("\"2026-01-01T00:00:00+01000\"", "bad_format"),
        ("\"2026-01-01T00:00:00+01:0\"", "bad_format"), ("\"2026-01-01T00:00:00+1:00\"", "bad_format"),
        ("\"2026-01-01T00:00:00+2400\"", "bad_format"), ("\"2026-01-01T00:00:00+0160\"", "bad_format"),
        ("\"2026-01-01T00:00:00 +0100\"", "bad_format"), ("\"2026-01-01T00:00:00+01:00 \"", "bad_format"),
        ("\"2026-01-01  00:00:00Z\"", "bad_format"), ("\"2026-01-01_00:00:00Z\"", "bad_format"),
        ("\"2026-01-01T00:00:00+24\"", "bad_format"), ("\"2026-01-01T00:00:00-\"", "bad_format"),
        ("\"2026-01-01T00:00:00ZZ\"", "bad_format"),
        ("\"2026-01-01T00:00:00Z \"", "bad_format"), ("\" 2026-01-01T00:00:00Z\"", "bad_format"),
        ("\"2026-1-01T00:00:000Z\"", "bad_format"), ("\"02026-01-01T00:00:00Z\"", "bad_format"),
        ("\"2026-01-01T00:00Z\"", "bad_format"),
        ("\"2026-01-01T00:00:00.5\"", "bad_format"), ("\"2026-01-01T-1:00:00Z\"", "bad_format"),
        ("\"２026-01-01T00:00:00Z\"", "bad_format"), ("\"\"", "bad_format"), ("{}", "wrong_type"), ("null", "absent"),
    ]

    @Test("that is a time is read strictly, and cut to the millisecond", arguments: times)
    func readsTimes(_ text: String, _ expected: String) throws {
        #expect(try outcome("\"endedAt\":\(text)") { $0.clientEndedAt } == expected)
    }

    @Test("that is a date lies one day after the date before it")
    func countsDays() throws {
        var day = Int64(-62_167_219_200_000)
        var dates: [(String, Int64)] = []
        for year in 0...9_999 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                // The first and last days of months show every step of the calendar.
                for date in [1, length] {
                    let text = [year, month + 1, date].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
                    let padded = String(repeating: "0", count: 10 - text.count) + text
                    dates.append(("\(padded)T00:00:00Z", day + Int64(date - 1) * 86_400_000))
                }
                day += Int64(length) * 86_400_000
            }
        }
        // A sample of all, so many as a request holds.
        let sample = stride(from: 0, to: dates.count, by: 241).map { dates[$0] }
        let batch = try Request.decode(Request.body(events: sample.map { Request.event("\"endedAt\":\"\($0.0)\"") }))
        #expect(batch.plays.map(\.clientEndedAt) == sample.map { $0.1 })
    }

    @Test("that is an error code comes out as the reports print it")
    func joinsErrors() throws {
        let errors = [
            #""timeout""#: "timeout", #"{"domain":"d","code":1e3}"#: "d#1000", #"{"domain":"d","code":-0}"#: "d#0",
            #"{"code":"E\"42","domain":"a\/b"}"#: "a/b#E\"42", #"{"domain":"d","code":-12660.0}"#: "d#-12660",
            #"{"domain":"é","code":9223372036854775807}"#: "é#9223372036854775807", #""a#1""#: "a#1",
            #"{"domain":"d","code":1e18}"#: "d#1000000000000000000",
        ]
        for (error, expected) in errors {
            let batch = try Request.decode(Request.body(events: [Request.event("\"error\":\(error)")]))
            #expect(batch.plays.first.map { batch.string($0.error) } == expected)
        }
    }

    @Test("that is a text comes through unchanged, whatever it looks like")
    func keepsTexts() throws {
        let texts = [
            "=cmd|' /C calc'!A0", "'; DROP TABLE plays; --", "../../etc/passwd", "a,b;c", "\u{2028}\u{2029}", "\u{a0}",
            "e\u{301}", "é", "😀", "\u{10FFFF}", "\u{FEFF}x", "\"\\/", "x(", " ", "<script>", "%00", "0", "null",
        ]
        let events = texts.map { text in
            let escaped = text.flatMap { character -> String in
                switch character {
                case "\"": "\\\""
                case "\\": "\\\\"
                default: String(character)
                }
            }
            return Request.event("\"cdn\":\"\(String(escaped))\"")
        }
        let units = texts.map { text in
            text.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
        let batch = try Request.decode(
            Request.body(events: events + units.map { Request.event("\"cdn\":\"\($0)\"") }))
        #expect(batch.plays.map { Array(batch[$0.cdn]) } == (texts + texts).map { Array($0.utf8) })
    }

    @Test("dates a play by its age, else by a clock that can be believed, else by the receipt")
    func datesPlays() throws {
        let members = [
            #""ageMs":0"#, #""ageMs":2592000000,"endedAt":0"#, #""ageMs":2592000001,"endedAt":1796000000000"#,
            #""ageMs":9007199254740992"#, #""endedAt":1796000300000"#, #""endedAt":1796000300001"#,
            #""endedAt":1793408000000"#, #""endedAt":1793407999999"#, #""endedAt":-9223372036854775808"#,
            #""endedAt":9223372036854775807"#, #""ageMs":null,"endedAt":null"#,
        ]
        let batch = try Request.decode(Request.body(events: members.map { Request.event($0) }))
        let received = Request.receivedAt
        let day: Int64 = 86_400_000
        #expect(
            batch.plays.map(\.endedAt) == [
                received, received - 30 * day, received, received, received, received, received - 30 * day, received,
                received, received, received,
            ])
        #expect(
            batch.plays.map(\.clockSkewed)
                == [false, false, true, true, false, true, false, true, true, true, false])
    }

    @Test("that nobody knows is dropped, and counted")
    func countsUnknown() throws {
        let batch = try Request.decode(
            Request.body(
                #""x":1,"context":{"title":"t"}"#,
                events: [Request.event(#""title":"t","x":[{"y":1}],"CDN":1"#), #"{"title":1}"#, "[]"]))
        #expect(batch.unknownFields == 4)
        var lines: [UInt8] = []
        ArchiveLine.append(batch, to: &lines)
        #expect(!String(decoding: lines, as: UTF8.self).contains("title"))
    }
}
