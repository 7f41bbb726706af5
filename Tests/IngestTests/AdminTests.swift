import Archive
import Foundation
import Ingest
import TestSupport
import Testing

@Suite("The admin listener")
struct AdminTests {
    @Test("says that the server lives and is ready, and why when it is not")
    func health() throws {
        let server = try RunningServer()
        let admin = try server.connectToAdmin()
        #expect(try admin.get("/healthz").text == #"{"status":"live"}"#)
        let ready = try admin.get("/readyz")
        #expect(ready.status == 200)
        #expect(ready.text == #"{"status":"ready","reasons":[],"degraded":[]}"#)
        #expect(ready.fields["content-type"] == "application/json")
    }

    @Test("says not ready when the data directory takes no write, ready again when it does, and live all the time")
    func unwritable() throws {
        let server = try RunningServer()
        let admin = try server.connectToAdmin()
        #expect(try admin.get("/readyz").status == 200)
        // Even root can't make a file where the folder is not.
        let archive = server.data + "/archive"
        try FileManager.default.moveItem(atPath: archive, toPath: archive + ".away")
        try waitForStatus(503, admin)
        #expect(try admin.get("/readyz").text.contains("the data directory can't be written"))
        #expect(try admin.get("/metrics").text.contains("\nqoe_ready 0\n"))
        #expect(try admin.get("/healthz").status == 200)
        try FileManager.default.moveItem(atPath: archive + ".away", toPath: archive)
        try waitForStatus(200, admin)
    }

    /// An answer holds for a second.
    private func waitForStatus(_ status: Int, _ admin: LoopbackConnection) throws {
        try waitUntil("the answer \(status)") { try admin.get("/readyz").status == status }
    }

    @Test("knows three paths, two methods, and no body")
    func refusals() throws {
        let server = try RunningServer()
        #expect(try server.connectToAdmin().get("/").status == 404)
        #expect(try server.connectToAdmin().get("/v1/playback-events").status == 404)
        let posted = try server.connectToAdmin().post("/healthz", [])
        #expect(posted.status == 405 && posted.fields["allow"] == "GET, HEAD")
        #expect(try server.connect().get("/metrics").status == 404)
    }

    @Test("counts what was sent: received is accepted and rejected, whatever the answers")
    func counters() throws {
        let server = try RunningServer()
        let connection = try server.connect()
        for body in [#"{"events":[\#(event()),3,{}]}"#, #"{"events":[3]}"#, "{", #"{"events":[]}"#] {
            _ = try connection.post("/v1/playback-events", Array(body.utf8))
        }
        try server.server.waitForFollower()
        let lines = Set(try server.connectToAdmin().get("/metrics").text.split(separator: "\n").map(String.init))
        let expected = [
            "qoe_events_received_total 4", "qoe_events_accepted_total 1",
            #"qoe_events_rejected_total{code="wrong_type"} 2"#, #"qoe_events_rejected_total{code="missing"} 1"#,
            #"qoe_request_faults_total{error="invalid_json"} 1"#, #"qoe_request_faults_total{error="all_rejected"} 1"#,
            #"qoe_requests_total{class="2xx"} 2"#, #"qoe_requests_total{class="4xx"} 2"#, "qoe_quarantined_total 3",
            "qoe_plays_loaded_total 1", "qoe_follower_lag_bytes 0", "qoe_ready 1", "qoe_damage 0",
        ]
        for line in expected { #expect(lines.contains(line), "\(line) is not in the metrics") }
    }

    @Test("counts who was turned away, what came with which key, how long answers took, and what became of reports")
    func signals() throws {
        let server = try RunningServer({ configuration, folder in
            let keys = "app\\\"1 0123456789abcdef\nweb 0123456789abcdeg\nold - 0123456789abcdeh\n"
            try keys.write(toFile: folder.path("keys"), atomically: true, encoding: .utf8)
            try "reader 0123456789abcdei\n".write(toFile: folder.path("read"), atomically: true, encoding: .utf8)
            configuration.writeKeyFile = folder.path("keys")
            configuration.readKeyFile = folder.path("read")
        })
        func post(_ key: String?, _ body: String, to path: String = "/v1/playback-events") throws -> Int {
            var fields = ["Content-Type": "text/plain"]
            fields["Authorization"] = key.map { "Bearer 0123456789abcde\($0)" }
            return try server.connect().post(path, Array(body.utf8), fields: fields).status
        }
        let batch = #"{"events":[\#(event(#""ageMs":60000"#)),3]}"#
        #expect(try post("f", batch) == 202)
        #expect(try post(nil, batch) == 401 && post("x", batch) == 403 && post("x", batch) == 403)
        #expect(try post("h", batch) == 403)
        #expect(try post("g", #"sid="a",cid="b",e=ps,sta=p,v=2,ts=1795948200000"#, to: "/v1/cmcd") == 204)
        func read(_ path: String) throws -> Int {
            try server.connect().get(path, fields: ["Authorization": "Bearer 0123456789abcdei"]).status
        }
        #expect(try read("/v1/reports/summary.csv") == 200 && read("/v1/reports/nothing.csv") == 404)
        let text = try server.connectToAdmin().get("/metrics").text
        let expected = [
            #"qoe_requests_unauthorized_total{reason="missing"} 1"#,
            #"qoe_requests_unauthorized_total{reason="unknown"} 2"#,
            #"qoe_requests_unauthorized_total{reason="withdrawn"} 1"#,
            #"qoe_key_events_total{key="app\\\"1"} 2"#, #"qoe_key_events_total{key="web"} 0"#,
            #"qoe_key_reports_total{key="web"} 1"#, "qoe_request_seconds_count 2",
            #"qoe_report_requests_total{outcome="made"} 1"#, #"qoe_report_requests_total{outcome="refused"} 1"#,
            "qoe_report_seconds_count 2", "qoe_last_reload_good 1",
        ]
        for line in expected { #expect(text.contains("\n\(line)\n"), "\(line) is not in the metrics") }
        func value(_ name: String) throws -> Double {
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + " ") }, "no \(name)")
            return try #require(Double(line.dropFirst(name.count + 1)))
        }
        let now = Date().timeIntervalSince1970
        #expect(abs(try value("qoe_newest_event_timestamp_seconds") - now + 60) < 30)
        #expect(abs(try value("process_start_time_seconds") - now) < 36_000)
        #expect(try value("process_resident_memory_bytes") > 1_000_000 && value("process_cpu_seconds_total") > 0)
        #expect(try value("process_open_fds") > 5 && value("process_max_fds") > value("process_open_fds"))
        #expect(try value("qoe_disk_free_bytes") > 0 && value("qoe_disk_bytes") >= value("qoe_disk_free_bytes"))
        #expect(!text.contains("qoe_last_export") && !text.contains("qoe_slo") && !text.contains("qoe_webhook"))
    }

    @Test("says when the last export was")
    func exports() throws {
        let server = try RunningServer()
        ExportMark.leave(DataPaths(server.data), at: 1_795_948_200_000)
        let text = try server.connectToAdmin().get("/metrics").text
        #expect(text.contains("\nqoe_last_export_timestamp_seconds 1795948200.0\n"))
        // Without the folder, or the right to write there, nothing happens.
        ExportMark.leave(DataPaths(server.data + "/nothing"), at: 1)
    }

    @Test("logs one JSON object a line, whatever the words in it")
    func log() throws {
        var lines: [String] = []
        let collected = RunningServer.LogLines()
        let log = EventLog(now: { 1_795_948_200_123 }, write: collected.add)
        log(.warning, "line", ["text": "a\"b\\c\n\r\t\u{2028}\u{0}\u{7F}\u{9B}é😀"])
        lines = collected.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let json = try JSONSerialization.jsonObject(with: Data(try #require(lines.first).utf8))
        let object = try #require(json as? [String: String])
        #expect(lines.count == 1)
        #expect(
            object == [
                "time": "2026-11-29T10:30:00.123Z", "level": "warning", "event": "line",
                "text": "a\"b\\c\n\r\t\u{2028}\u{0}\u{7F}\u{9B}é😀",
            ])
    }
}
