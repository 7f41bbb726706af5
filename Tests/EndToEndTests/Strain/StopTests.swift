import Foundation
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a server that is told to stop")
    struct StopTests {
        private let folder: TemporaryFolder
        private let server: ServerProcess

        init() throws {
            folder = try TemporaryFolder()
            server = try ServerProcess(data: folder.path("data"))
        }

        private static let body = SampleBatch.body(ids: ["00000000-0000-4000-8000-000000000001"])
        private static let head =
            "POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n"

        @Test("under load exits 0 within 10 s, and loses nothing of what it acknowledged")
        func underLoad() throws {
            let load = PlayLoad(eventsPerBatch: 6)
            let server = server
            let pid = server.pid
            let start = Date()
            load.run(port: server.port, connections: 16, until: 2_000) { kill(pid, SIGTERM) }
            #expect(try server.waitForExit() == 0)
            #expect(Date().timeIntervalSince(start) < 20)
            #expect(load.acknowledged.count >= 2_000)
            #expect(Set(load.answers.keys).isSubset(of: [202, 503]))
            #expect(throws: LoopbackConnection.Failure.self) { try LoopbackConnection(port: server.port) }
            try expectKeptAfterStart(load.acknowledged, in: server.dataDirectory, sent: load.sent)
        }

        @Test(
            "finishes a request of which a byte has arrived, refuses one that begins later, and waits 8 s for the rest")
        func halfWay() throws {
            let begun = try server.connect()
            try begun.send("P")
            let inBody = try server.connect()
            try inBody.send(Self.head + Self.body.prefix(10))
            var idle = try (0..<8).map { _ in try server.connect() }
            for connection in idle { #expect(try connection.get("/nowhere").status == 404) }
            let stuck = try server.connect()
            try stuck.send(Self.head)
            // One that never ends on the other listener must not take time of its own.
            let stuckAdmin = try LoopbackConnection(port: server.adminPort)
            try stuckAdmin.send("GET /metr")
            try waitUntil("the bytes to arrive") { try server.metric("qoe_connections") == 11 }

            let start = Date()
            server.signal(SIGTERM)
            try waitUntil("it to stop listening") { (try? LoopbackConnection(port: server.port)) == nil }
            #expect(try server.admin("/readyz").status == 503)
            #expect(try server.admin("/healthz").status == 200)
            // What arrives within the first 20 ms may still count as begun before.
            try waitUntil("a request to be refused") {
                let connection = idle.removeLast()
                try connection.send(Self.head + Self.body)
                let refused = try connection.response()
                guard refused.status == 503 else { return false }
                #expect(refused.fields["retry-after"] != nil)
                #expect(refused.fields["connection"] == "close")
                return true
            }
            try begun.send((Self.head + Self.body).dropFirst().description)
            try inBody.send(Self.body.dropFirst(10).description)
            for connection in [begun, inBody] {
                let answer = try connection.response()
                #expect(answer.status == 202)
                #expect(answer.fields["connection"] == "close")
            }
            #expect(stuck.isClosedByPeer())
            #expect(try server.waitForExit() == 0)
            let took = Date().timeIntervalSince(start)
            #expect(took > 7.5 && took < 10, "it took \(took) s")
        }

        @Test("exits 0 within 10 s also when the database would take longer to be put in order")
        func slowDatabase() throws {
            let load = PlayLoad(eventsPerBatch: 500)
            let players = load.start(port: server.port, connections: 4)
            try waitUntil("the write-ahead log to be long") { load.acknowledged.count > 150_000 }
            // A disk that takes 5 ms for a page: a commit and then copying the log into the database would take too long.
            let slow = try StraceAttachment(server, "pwrite64", "delay_enter=5000")
            let start = Date()
            server.signal(SIGTERM)
            #expect(try server.waitForExit() == 0, "\(server.log)")
            let took = Date().timeIntervalSince(start)
            #expect(took < 10, "it took \(took) s")
            slow.detach()
            load.stop()
            players.wait()
            try expectKeptAfterStart(load.acknowledged, in: server.dataDirectory, sent: load.sent)
        }

        @Test("twice ends at once")
        func twice() throws {
            let stuck = try server.connect()
            try stuck.send(Self.head)
            try waitUntil("the bytes to arrive") { try server.metric("qoe_received_bytes_total") ?? 0 > 0 }
            let start = Date()
            server.signal(SIGTERM)
            try waitUntil("it to stop listening") { (try? LoopbackConnection(port: server.port)) == nil }
            // So much later that it is no echo of the first.
            usleep(100_000)
            server.signal(SIGTERM)
            #expect(try server.waitForExit() != 0)
            #expect(Date().timeIntervalSince(start) < 3)
        }
    }
}
