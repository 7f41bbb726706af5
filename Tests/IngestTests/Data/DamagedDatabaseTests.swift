import Foundation
import Ingest
import SQLite
import TestSupport
import Testing

@Suite("A database under a running server")
struct DamagedDatabaseTests {
    /// What may happen to the file of a database that is open.
    enum Mishap: CaseIterable {
        case removed, replaced, truncated, emptied, overwritten, zeroedAtItsBeginning
    }

    private static let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func running() throws -> RunningServer {
        let running = try RunningServer(now: Self.now) { configuration, _ in configuration.databaseLookMs = 50 }
        try post(to: running)
        try running.server.waitForFollower()
        return running
    }

    private func post(to running: RunningServer) throws {
        let body = #"{"events":[\#(event(#""startupMs":400"#, #""cdnRegion":"eu""#))]}"#
        #expect(try running.connect().post("/v1/playback-events", Array(body.utf8)).status == 202)
    }

    private func happen(_ mishap: Mishap, to path: String) throws {
        let url = URL(fileURLWithPath: path)
        switch mishap {
        case .removed: try FileManager.default.removeItem(at: url)
        case .replaced:
            try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
            #expect(rename(path + ".copy", path) == 0)
        case .truncated: #expect(truncate(path, 2 * 16_384) == 0)
        case .emptied: #expect(truncate(path, 0) == 0)
        case .overwritten:
            let size = try Data(contentsOf: url).count
            try write(Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }), at: 0, of: url)
        case .zeroedAtItsBeginning: try write(Data(count: 100), at: 0, of: url)
        }
    }

    private func write(_ bytes: Data, at offset: UInt64, of url: URL) throws {
        let file = try FileHandle(forUpdating: url)
        try file.seek(toOffset: offset)
        try file.write(contentsOf: bytes)
        try file.close()
    }

    private func count(_ event: String, in running: RunningServer) -> Int {
        running.log.text.components(separatedBy: #""event":"\#(event)""#).count - 1
    }

    @Test(
        "that is removed, replaced or overwritten is called damaged by health, log and reports, and plays are taken all the same",
        arguments: Mishap.allCases)
    func mishaps(mishap: Mishap) throws {
        let running = try running()
        let admin = try running.connectToAdmin()
        #expect(try running.connect().get("/v1/reports/summary.csv").status == 200)
        #expect(try admin.get("/readyz").text.contains(#""degraded":[]"#))
        try happen(mishap, to: running.data + "/qoe.sqlite")

        try waitUntil("the damage in health") { try admin.get("/readyz").text.contains("the database is damaged: ") }
        #expect(try admin.get("/readyz").status == 200)
        #expect(try admin.get("/metrics").text.contains("\nqoe_damage 1\n"))
        #expect(count("database damaged", in: running) == 1)
        for _ in 0..<3 {
            let report = try running.connect().get("/v1/reports/summary.csv")
            #expect(report.status == 500)
            #expect(report.text.contains(#""error":"database_damaged""#) && report.text.contains("qoe rebuild"))
        }
        #expect(count("request failed", in: running) == 1)
        try post(to: running)
    }

    @Test("that comes back as it was is sound again")
    func back() throws {
        let running = try running()
        let admin = try running.connectToAdmin()
        let path = running.data + "/qoe.sqlite"
        #expect(rename(path, path + ".away") == 0)
        try waitUntil("the damage in health") { try admin.get("/readyz").text.contains("there is no file") }
        #expect(rename(path + ".away", path) == 0)
        try waitUntil("the end of it") { try admin.get("/readyz").text.contains(#""degraded":[]"#) }
        #expect(count("database damaged", in: running) == 1 && count("database sound again", in: running) == 1)
        #expect(try running.connect().get("/v1/reports/summary.csv").status == 200)
    }

    @Test("of which a report finds a page damaged is called so by the report, its log line and health")
    func damagedPage() throws {
        let running = try RunningServer(now: Self.now) { configuration, _ in configuration.databaseLookMs = 3_600_000 }
        try post(to: running)
        try running.server.waitForFollower()
        let path = running.data + "/qoe.sqlite"
        try waitUntil("an empty write-ahead log") {
            try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).isEmpty
        }
        let page = try SQLiteConnection(path: path, mode: .readOnly).integer(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'prompt_plays'")
        try write(Data(repeating: 0x55, count: 4_096), at: UInt64(page - 1) * 16_384, of: URL(fileURLWithPath: path))
        for _ in 0..<2 {
            let report = try running.connect().get("/v1/reports/startup.csv")
            #expect(report.status == 500 && report.text.contains(#""error":"database_damaged""#))
        }
        #expect(count("request failed", in: running) == 1)
        #expect(running.log.text.contains(#""of":"startup","status":"500","reason":"SQLite error 11: "#))
        #expect(try running.connectToAdmin().get("/readyz").text.contains("a report found the database damaged"))
    }

    @Test("whose row has a number that no play can have ends the report, not the server")
    func impossibleRow() throws {
        let running = try running()
        try SQLiteConnection(path: running.data + "/qoe.sqlite", mode: .readWrite).execute(
            "UPDATE prompt_plays SET watched_ms = 9223372036854775807, startup_ms = 9223372036854775807")
        for path in ["/v1/reports/summary.csv", "/v1/reports/startup.csv", "/"] {
            let report = try running.connect().get(path)
            let words = path == "/" ? "the database is damaged" : #""error":"database_damaged""#
            #expect(report.status == 500 && report.text.contains(words))
        }
        try post(to: running)
    }
}
