import Archive
import Foundation
import Ingest
import PlaybackEvents
import Testing
import TestSupport

@Suite("The endpoint of CMCD")
struct CMCDRouteTests {
    private static let path = "/v1/cmcd"
    private static let key = "wwwwwwwwwwwwwwww"
    private static let page = "https://player.example"
    private static let now: Int64 = 1_795_953_600_000

    private func running(
        keys: String = "web \(key)", _ configure: (inout IngestConfiguration) -> Void = { _ in }
    ) throws -> RunningServer {
        try RunningServer(now: { Self.now }) { configuration, folder in
            configuration.writeKeyFile = folder.path("writers")
            try Data(keys.utf8).write(to: folder.url.appending(path: "writers"))
            configure(&configuration)
        }
    }

    private func report(_ sn: Int = 0, _ more: String = "e=ps,sta=s") -> String {
        #"cid="clip",sid="viewer-1",sn=\#(sn),ts=\#(Self.now - 1_000 + Int64(sn)),v=2,\#(more)"#
    }

    private func post(
        _ running: RunningServer, _ body: String, query: String = "key=\(key)", type: String? = "application/cmcd",
        _ fields: [String: String] = [:]
    ) throws -> LoopbackConnection.Response {
        let type = type.map { ["Content-Type": $0] } ?? [:]
        return try running.connect().post(
            "\(Self.path)?\(query)", Array(body.utf8), fields: fields.merging(type) { $1 })
    }

    /// The lines of a log of a server, which is stopped for it.
    private func lines(_ running: RunningServer, _ log: LogKind) throws -> [String] {
        _ = running.server.stop()
        var lines: [String] = []
        _ = try ArchiveVerifier(DataPaths(running.data)).verify(visit: { kind, bytes in
            if kind == log { lines += bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) } }
        })
        return lines
    }

    @Test("answers 204 without a byte once the reports are durable, and keeps the key's name and never the key")
    func durable() throws {
        let running = try running()
        let query = "cdn=fastly&cdnRegion=eu&heartbeat=10&tag.arm=b&unknown=\(Self.key)&key=\(Self.key)"
        let answer = try post(
            running, report() + ",nor=\"secret.mp4\",br=(5000;v 320;a)\n" + report(1, "e=t") + "\n", query: query)
        #expect(answer.status == 204 && answer.body.isEmpty && answer.fields["cache-control"] == nil)
        let metrics = try running.connectToAdmin().get("/metrics").text
        for line in ["lines_total 2", "reports_total 2", "ignored_parameters_total 1", "quarantined_total 0"] {
            #expect(metrics.contains("qoe_cmcd_\(line)\n"), "\(line)")
        }
        let log = try lines(running, .reports)
        #expect(log.count == 1)
        let kept = try #require(try JSONSerialization.jsonObject(with: Data(log[0].utf8)) as? [String: Any])
        #expect(kept["key"] as? String == "web" && kept["cdn"] as? String == "fastly")
        #expect(kept["heartbeatMs"] as? Int == 10_000 && kept["tags"] as? [String: String] == ["arm": "b"])
        #expect((kept["reports"] as? [[String: Any]])?.first?["br"] as? Int == 5_320)
        #expect(!log[0].contains(Self.key) && !log[0].contains("secret"))
        #expect(!running.log.text.contains(Self.key))
    }

    @Test("takes a report in the address, in headers, percent-encoded and in gzip alike")
    func forms() throws {
        let running = try running()
        let allowed = CharacterSet.alphanumerics
        let encoded = try #require(report().addingPercentEncoding(withAllowedCharacters: allowed))
        let connection = try running.connect()
        let get = try connection.get("\(Self.path)?key=\(Self.key)&CMCD=\(encoded)")
        #expect(get.status == 204 && get.fields["cache-control"] == "no-store")
        let headers = ["CMCD-Session": #"cid="clip",sid="viewer-1""#, "CMCD-Request": "sn=0,ts=\(Self.now - 1_000)"]
        #expect(try connection.get("\(Self.path)?key=\(Self.key)", fields: headers).status == 204)
        #expect(try post(running, encoded + "\n", type: "application/cmcd+text").status == 204)
        #expect(try post(running, report(), type: "text/plain;charset=UTF-8").status == 204)
        #expect(
            try post(running, report(), query: "", type: nil, ["Authorization": "Bearer \(Self.key)"]).status == 204)
        let plain = running.folder.path("plain")
        try report().write(toFile: plain, atomically: false, encoding: .utf8)
        #expect(try BuiltProgram.run("gzip", [plain]).status == 0)
        let zipped = try Data(contentsOf: URL(fileURLWithPath: plain + ".gz"))
        let answer = try running.connect().post(
            "\(Self.path)?key=\(Self.key)", Array(zipped),
            fields: ["Content-Type": "application/cmcd", "Content-Encoding": "gzip"])
        #expect(answer.status == 204)
        // Nothing at all is no fault.
        #expect(try connection.get("\(Self.path)?key=\(Self.key)").status == 204)
        let log = try lines(running, .reports)
        #expect(log.count == 6 && log.allSatisfy { $0.contains(#""cid":"clip","sid":"viewer-1""#) })
    }

    @Test("sets lines aside that are no reports, cut and without what may be in them, and answers 204 all the same")
    func bad() throws {
        let running = try running { $0.badReportBytes = 1_000 }
        let long = #"x="\#(String(repeating: "y", count: 400))""#
        let body = [report(), long, #"ts=5,cid="clip",url="u""#, "%%%", #"v=3,ts=1,sid="a",cid="b""#].joined(
            separator: "\n")
        #expect(try post(running, body).status == 204)
        for _ in 0..<4 { #expect(try post(running, "%%%").status == 204) }
        let metrics = try running.connectToAdmin().get("/metrics").text
        #expect(metrics.contains("qoe_cmcd_left_lines_total{reason=\"version\"} 1\n"))
        let kept = try lines(running, .rejected)
        let dropped = 7 - kept.count
        #expect(metrics.contains("qoe_cmcd_quarantined_total \(kept.count)\n") && dropped > 0)
        #expect(metrics.contains("qoe_cmcd_quarantine_dropped_total \(dropped)\n"))
        #expect(kept.joined(separator: "\n").utf8.count <= 1_000)
        let first = try #require(try JSONSerialization.jsonObject(with: Data(kept[0].utf8)) as? [String: Any])
        #expect(first["code"] as? String == "bad_report" && first["field"] as? String == "ts")
        #expect((first["raw"] as? String)?.utf8.count == 256 && first["index"] as? Int == 1)
        let second = try #require(try JSONSerialization.jsonObject(with: Data(kept[1].utf8)) as? [String: Any])
        #expect(second["field"] as? String == "sid")
    }

    @Test("counts what an earlier process has set aside in the share")
    func share() throws {
        let folder = try TemporaryFolder()
        func serve(share: Int, _ body: (RunningServer) throws -> Void) throws {
            try body(
                RunningServer(now: { Self.now }) { configuration, _ in
                    configuration.dataDirectory = folder.path("data")
                    configuration.badReportBytes = share
                })
        }
        // A line takes 129 bytes.
        let bad = Array(repeating: "%%%", count: 20).joined(separator: "\n")
        try serve(share: 10_000) { running in
            let answer = try post(running, bad)
            #expect(answer.status == 204)
        }
        try serve(share: 2_500) { running in
            var metrics = ""
            try waitUntil("the share to be counted") {
                _ = try post(running, "%%%")
                metrics = try running.connectToAdmin().get("/metrics").text
                return !metrics.contains("qoe_cmcd_quarantine_dropped_total 0\n")
            }
            // Alone it would have had room for nineteen.
            #expect(!metrics.contains("qoe_cmcd_quarantined_total 19\n"))
        }
    }

    @Test("refuses as the endpoint of batches does")
    func refusals() throws {
        let running = try running { $0.eventsPerSecondPerKey = 1 }
        #expect(try post(running, report(), query: "").status == 401)
        #expect(try post(running, report(), query: "key=another").status == 403)
        #expect(try post(running, report(), type: "application/json").status == 415)
        #expect(try post(running, report(), ["Content-Encoding": "br"]).status == 415)
        let large = String(repeating: "x", count: 1 << 20 + 1)
        #expect(try post(running, large).status == 413)
        #expect(
            try running.connect().post(
                "\(Self.path)?key=\(Self.key)", Array("x".utf8), fields: ["Content-Encoding": "gzip"]
            ).status == 400)
        try running.connect().send("PUT \(Self.path) HTTP/1.1\r\nHost: x\r\n\r\n")
        let connection = try running.connect()
        try connection.send("PUT \(Self.path) HTTP/1.1\r\nHost: x\r\n\r\n")
        let put = try connection.response()
        #expect(put.status == 405 && put.fields["allow"] == "GET, POST, OPTIONS")
        // The rate counts lines.
        let lines = Array(repeating: report(), count: 12).joined(separator: "\n")
        let answers = try (0..<3).map { _ in try post(running, lines) }
        #expect(answers.last?.status == 429 && answers.last?.fields["retry-after"] != nil)
    }

    @Test("answers 410 where the intake is off")
    func off() throws {
        let running = try running { $0.takesCMCD = false }
        #expect(try post(running, report()).status == 410)
        #expect(try post(running, report(), query: "").status == 410)
        let batch = try running.connect().post(
            "/v1/playback-events?key=\(Self.key)", Array(SampleBatch.body(ids: [SampleBatch.newId()]).utf8))
        #expect(batch.status == 202)
    }

    @Test("answers 410 to a key that was withdrawn, and 403 to one that never was")
    func withdrawn() throws {
        let running = try running(keys: "web \(Self.key)\nold - oooooooooooooooo\nios iiiiiiiiiiiiiiii")
        #expect(try post(running, report(), query: "key=oooooooooooooooo").status == 410)
        #expect(try post(running, report()).status == 204)
        try Data("web - # since May\nios iiiiiiiiiiiiiiii".utf8).write(
            to: running.folder.url.appending(path: "writers"))
        running.server.reload()
        let gone = try post(running, report())
        #expect(gone.status == 410 && gone.fields["connection"] == "close")
        #expect(try post(running, report(), query: "key=another").status == 403)
        #expect(try post(running, report(), query: "key=iiiiiiiiiiiiiiii").status == 204)
        // A batch has no use for a 410.
        #expect(try running.connect().post("/v1/playback-events?key=\(Self.key)", []).status == 403)
    }

    @Test("lets a page ask beforehand, one line a request")
    func preflight() throws {
        let running = try running { $0.corsOrigins = [Self.page] }
        for number in 0..<20 {
            let connection = try running.connect()
            try connection.send(
                "OPTIONS \(Self.path)?key=\(Self.key) HTTP/1.1\r\nHost: x\r\nOrigin: \(Self.page)\r\n"
                    + "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n")
            let leave = try connection.response()
            #expect(leave.status == 204 && leave.fields["access-control-max-age"] == "86400")
            #expect(leave.fields["access-control-allow-methods"] == "GET, POST")
            let headers =
                "authorization, content-encoding, content-type, cmcd-request, cmcd-object, cmcd-session, cmcd-status"
            #expect(leave.fields["access-control-allow-headers"] == headers)
            let answer = try connection.post(
                "\(Self.path)?key=\(Self.key)", Array((report(number) + "\n").utf8),
                fields: ["Origin": Self.page, "Content-Type": "application/cmcd"])
            #expect(answer.status == 204 && answer.fields["access-control-allow-origin"] == Self.page)
            #expect(answer.fields["access-control-allow-credentials"] == "true")
        }
        #expect(try post(running, report(), query: "", ["Origin": Self.page]).fields["vary"] == "Origin")
        #expect(try lines(running, .reports).count == 20)
    }
}
