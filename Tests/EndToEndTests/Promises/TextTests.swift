import Foundation
import Testing
import TestSupport

@Suite("Whatever text a client sends")
struct TextTests {
    /// Legal in every string of the contract, and of some meaning to a shell, a path, SQL, CSV, HTML or a terminal.
    private static let texts = [
        "../../x", "/etc/passwd", "..\\..\\x", "C:\\x", "a/../../b", "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)",
        "say \"hi\"", "it's", "a,b", "a;b", "x'); DROP TABLE plays;--", "\" OR 1=1 --", "NULL", "null", "1e5",
        "\u{2028}a\u{2029}b", "b\u{feff}om", "é\u{301}\u{202e}", "🎬🎬", "<script>alert(1)</script>", "%s%n",
        "$(touch x)",
        "`id`", "{\"a\":1}", "&amp;", "C0\\u0000", "_%", "~", " a ", "''", "\"\"",
    ]

    private static func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    @Test(
        "in any string is one line in archive and log, comes back unchanged from every CSV, and makes no path and no SQL"
    )
    func legal() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let server = try ServerProcess(data: data)
        let events = try Self.texts.map { text in
            let value = try Self.quoted(text)
            let fields = ["cdn", "cdnRegion", "network", "source", "appVersion", "osVersion", "deviceModel", "player"]
            let more = fields.map { #""\#($0)":\#(value)"# }.joined(separator: ",")
            return SampleBatch.event(
                nil, #"\#(more),"sessionId":\#(value),"error":\#(value),"tags":{"arm":\#(value)}"#
            ).replacingOccurrences(of: "\"v1\"", with: value)
        }
        let answer = try server.post(SampleBatch.body(events))
        #expect(answer.status == 202 && answer.text.contains(#""rejected":[]"#), "\(answer.text)")
        try server.waitForFollower()
        _ = try server.logged()
        #expect(server.stop() == 0)

        let lines = try LogFolder(data: data).lines()
        #expect(lines.map { $0["cdnRegion"] as? String } == Self.texts)
        let expected = Set(Self.texts)
        let dimensions = [
            "cdnRegion": "cdn_region", "cdn": "cdn", "network": "network", "source": "source",
            "appVersion": "app_version", "osVersion": "os_version", "deviceModel": "device_model",
            "player": "player", "videoId": "video_id", "errorCode": "error_code", "tag:arm": "tag_arm",
        ]
        for (dimension, column) in dimensions {
            for metric in ["summary", "failures"] {
                let cells = try Self.cells(of: column, by: dimension, metric, data, folder)
                #expect(cells == expected, "\(dimension) in \(metric): \(cells.symmetricDifference(expected))")
            }
            let value = "x'); DROP TABLE plays;--"
            let one = try BuiltProgram("qoe").run(
                ["report", "--data", data, "--by", dimension, "--where", "\(dimension)=\(value)", "--format", "json"])
            #expect(one.status == 0 && one.output.contains("DROP TABLE"), "\(one.errors)")
        }
        #expect(try StoredPlays(data: data).counts().count == Self.texts.count)
        let names = try BuiltProgram.run("find", [folder.path, "-name", "*"]).output.split(separator: "\n")
            .map { $0.replacingOccurrences(of: folder.path, with: "") }
            .filter { $0.hasPrefix("/data") && !$0.hasPrefix("/data/archive/day=") }
        #expect(
            Set(names).isSubset(of: [
                "/data", "/data/archive", "/data/archive/manifest", "/data/rejected", "/data/reports", "/data/damaged",
                "/data/lock",
                "/data/qoe.sqlite",
                "/data/qoe.sqlite-wal", "/data/qoe.sqlite-shm",
            ]), "\(names)")
    }

    /// One column of a CSV report as another reader sees it, without the apostrophe that keeps spreadsheets from formulas.
    private static func cells(
        of column: String, by dimension: String, _ metric: String, _ data: String, _ folder: TemporaryFolder
    ) throws -> Set<String> {
        let path = folder.path("report.csv")
        let report = try BuiltProgram("qoe").run([
            "report", "--data", data, "--by", dimension, "--metric", metric, "--format", "csv", "--output", path,
        ])
        #expect(report.status == 0, "\(report.errors)")
        let script = """
            import csv, json, sys
            rows = csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"))
            print(json.dumps([row[sys.argv[2]] for row in rows]))
            """
        let read = try BuiltProgram.run("python3", ["-c", script, path, column])
        let cells = try JSONSerialization.jsonObject(with: Data(read.output.utf8)) as? [String] ?? []
        return Set(
            cells.filter { $0 != "(all)" }.map { cell in
                let rest = cell.dropFirst()
                return cell.hasPrefix("'") && "=+-@".contains(rest.first ?? " ") ? String(rest) : cell
            })
    }

    @Test("with controls, NUL or bytes that are no UTF-8 is rejected, kept byte for byte, and never mended")
    func illegal() throws {
        let folder = try TemporaryFolder()
        let data = folder.path("data")
        let server = try ServerProcess(data: data)
        let escapes = [#"\n"#, #"\r"#, #"\u0000"#, #"\u001b[2J"#, #"\u007f"#, #"\u0085"#, #"\ud800"#]
        let events = escapes.map { SampleBatch.event(nil, #""cdn":"x\#($0)y""#) }
        let answer = try server.post(SampleBatch.body(events + [SampleBatch.event()]))
        #expect(answer.status == 202 && answer.text.contains(#""accepted":1"#), "\(answer.text)")
        let raw = try server.post(Array(#"{"events":[{"videoId":"a"#.utf8) + [0xff] + Array(#""}]}"#.utf8))
        #expect(raw.status == 400 && raw.text.contains(#""offset":24"#), "\(raw.text)")
        #expect(try server.post(#"{"events":[{"videoId":"a\u0000b"},{"videoId":"a\u0000c"}]}"#).status == 400)
        try server.waitForFollower()
        #expect(server.stop() == 0)
        let quarantine = try LogFolder(data: data, "rejected").lines()
        #expect(quarantine.prefix(escapes.count).map { $0["raw"] as? String } == events)
        #expect(quarantine.count == escapes.count + 2)
        #expect(try StoredPlays(data: data).counts().count == 1)
    }

    @Test("the log says no word of it, nor who sent it: one JSON object a line")
    func log() throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.path("data"))
        let secret = "word-of-a-client"
        for body in [
            "{\"\(secret)\n", #"{"events":[{"videoId":"\#(secret)","stalls":-1}]}"#, SampleBatch.body(ids: []),
        ] {
            try server.post(body, to: ServerProcess.eventsPath + "?\(secret)", fields: ["User-Agent": secret])
            try server.post(body, to: "/\(secret)", fields: ["X-Forwarded-For": secret])
        }
        let broken = try server.connect()
        try broken.send("GET /\(secret)\u{7} HTTP/1.1\r\n\r\n")
        #expect(try broken.response().status == 400)
        #expect(server.stop() == 0)
        #expect(!server.log.contains(secret))
        for entry in try server.logged() {
            #expect(entry["time"] != nil && entry["level"] != nil && entry["event"] != nil)
            #expect(entry["event"] == "listening" || !entry.values.contains { $0.contains("127.0.0.1") })
        }
    }
}
