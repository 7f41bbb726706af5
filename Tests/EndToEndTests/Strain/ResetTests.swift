import Foundation
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a client that resets")
    struct ResetTests {
        @Test("before its answer, a thousand times, leaves a process that lives and is no larger")
        func thousand() throws {
            let folder = try TemporaryFolder()
            let server = try ServerProcess(data: folder.path("data"))
            let ids = (0..<1_000).map { _ in SampleBatch.newId() }
            try server.post(SampleBatch.body(ids: ["00000000-0000-4000-8000-000000000001"]))
            let descriptors = server.descriptors
            for (number, id) in ids.enumerated() {
                let connection = try server.connect()
                let body = SampleBatch.body(ids: [id])
                let request =
                    "POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body
                // A third in the middle of the head, a third in the body, a third when the answer is on its way.
                try connection.send(String(request.prefix([40, 150, request.count][number % 3])))
                connection.reset()
            }
            try waitUntil("the connections to go") { try server.metric("qoe_connections") == 0 }
            let last = SampleBatch.newId()
            #expect(try server.post(SampleBatch.body(ids: [last])).status == 202)
            try server.waitForFollower()
            try waitUntil("the descriptors to be as before") { server.descriptors <= descriptors + 2 }
            #expect(server.threads <= ServerProcess.restingThreads)
            let counts = try StoredPlays(data: server.dataDirectory).counts()
            #expect(counts[last] == 1)
            #expect(counts.values.allSatisfy { $0 == 1 })
            #expect(server.stop() == 0)
        }
    }
}
