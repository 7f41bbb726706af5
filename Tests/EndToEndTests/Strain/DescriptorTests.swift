import Foundation
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a server without free descriptors")
    struct DescriptorTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private func server(descriptors: Int) throws -> ServerProcess {
            try ServerProcess(data: folder.path("data"), wrapper: ["prlimit", "--nofile=\(descriptors)"])
        }

        @Test("of 64 keeps 40 for itself, and answers 503 above the rest")
        func limited() throws {
            let server = try server(descriptors: 64)
            var crowd = try (0..<24).map { _ in try server.connect() }
            try waitUntil("24 connections") { try server.metric("qoe_connections") == 24 }
            for _ in 0..<50 {
                let refused = try server.connect()
                let answer = try refused.response()
                #expect(answer.status == 503)
                #expect(answer.fields["retry-after"] != nil)
                #expect(refused.isClosedByPeer())
            }
            #expect(try server.metric("qoe_accept_pauses_total") == 0)
            let body = Array(SampleBatch.body(ids: [SampleBatch.newId()]).utf8)
            #expect(try crowd[0].post(ServerProcess.eventsPath, body).status == 202)
            try server.waitForFollower()
            crowd.removeAll()
            try waitUntil("the connections to go") { try server.metric("qoe_connections") == 0 }
            #expect(try server.post(body).status == 202)
        }

        @Test("neither spins nor floods the log, and recovers by itself")
        func exhausted() throws {
            let server = try server(descriptors: 36)
            // More than there is room for, on both listeners; those that find none wait in the backlog.
            var crowd = try (0..<16).map { _ in try server.connect() }
            crowd += try (0..<14).map { _ in try LoopbackConnection(port: server.adminPort) }
            try waitUntil("the descriptors to be gone") { try server.count(logged: "accepting paused") > 0 }
            let (before, start) = (server.processorSeconds, Date())
            try waitUntil("some time to pass") { Date().timeIntervalSince(start) > 2 }
            #expect(server.processorSeconds - before < 0.2)
            #expect(server.log.split(separator: "\n").count < 10, "\(server.log)")

            crowd.removeAll()
            let id = SampleBatch.newId()
            try waitUntil("room again") { (try? server.post(SampleBatch.body(ids: [id])).status) == 202 }
            try server.waitForFollower()
            #expect(try server.admin("/readyz").status == 200)
            #expect(try StoredPlays(data: server.dataDirectory).counts() == [id: 1])
        }
    }
}
