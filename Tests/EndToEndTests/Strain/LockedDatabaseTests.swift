import Foundation
import SQLite
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a database that somebody else has locked")
    struct LockedDatabaseTests {
        private let folder: TemporaryFolder
        private var data: String { folder.path("data") }

        init() throws {
            folder = try TemporaryFolder()
        }

        private func lock() throws -> SQLiteConnection {
            let connection = try SQLiteConnection(path: data + "/qoe.sqlite", mode: .readWrite, busyTimeoutMs: 10_000)
            try connection.execute("BEGIN EXCLUSIVE")
            return connection
        }

        @Test("for seconds costs no 5xx, lets reports be read, and the follower's lag rises and falls")
        func locked() throws {
            let server = try ServerProcess(data: data)
            let load = PlayLoad(eventsPerBatch: 6)
            let foreign = try lock()
            let players = load.start(port: server.port, connections: 4)
            try waitUntil("the lag to be seconds") {
                usleep(20_000)
                return try server.metric("qoe_follower_lag_seconds") ?? 0 > 3
            }
            let lag = try server.metric("qoe_follower_lag_bytes") ?? 0
            #expect(lag > 0)
            #expect(try server.admin("/readyz").status == 200)
            let report = try BuiltProgram("qoe").run(["report", "--data", data])
            #expect(report.status == 0, "\(report.errors)")
            try foreign.execute("COMMIT")
            load.stop()
            #expect(players.wait(timeout: .now() + 30) == .success)
            #expect(Set(load.answers.keys) == [202])

            try server.waitForFollower()
            try waitUntil("the lag to end") { try server.metric("qoe_follower_lag_seconds") == 0 }
            #expect(try server.metric("qoe_follower_failures") == 0)
            let failures = try server.count(logged: "load failed")
            #expect(failures == 1)
            #expect(try server.count(logged: "load recovered") == 1)
            #expect(server.stop() == 0)
            try expectKept(load.acknowledged, in: data, sent: load.sent)
        }

        @Test("does not keep the server from stopping in time")
        func stops() throws {
            let server = try ServerProcess(data: data)
            let foreign = try lock()
            let id = SampleBatch.newId()
            #expect(try server.post(SampleBatch.body(ids: [id])).status == 202)
            try waitUntil("the load to fail") { try server.metric("qoe_follower_failures") ?? 0 > 0 }
            let start = Date()
            #expect(server.stop() == 0)
            #expect(Date().timeIntervalSince(start) < 5)
            try foreign.execute("COMMIT")
            try expectKeptAfterStart([id], in: data)
        }

        @Test("for too long makes it 503 and not ready at the lag's limit, until the database has caught up")
        func lagLimit() throws {
            let server = try ServerProcess(data: data, options: ["--max-lag-bytes", "1048576"])
            let foreign = try lock()
            let load = PlayLoad(eventsPerBatch: 1_000)
            let players = load.start(port: server.port, connections: 2)
            try waitUntil("the lag to be at its limit", seconds: 60) { (load.answers[503] ?? 0) > 20 }
            load.stop()
            #expect(players.wait(timeout: .now() + 30) == .success)
            #expect(Set(load.answers.keys) == [202, 503])
            #expect(load.retryAfter.count > 1)
            let ready = try server.admin("/readyz")
            #expect(ready.status == 503 && ready.text.contains("too far behind"))
            #expect(try server.metric(#"qoe_requests_refused_total{reason="lag"}"#) ?? 0 > 20)
            let lag = try server.metric("qoe_follower_lag_bytes") ?? 0
            #expect(lag > 1_048_576 && lag < 2_097_152)

            try foreign.execute("COMMIT")
            try server.waitForFollower()
            #expect(try server.admin("/readyz").status == 200)
            #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
            #expect(server.stop() == 0)
            try expectKept(load.acknowledged, in: data, sent: load.sent + 1)
        }
    }
}
