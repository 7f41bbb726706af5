import Foundation
import Testing
import TestSupport

@Suite("Three hundred slow clients")
struct SlowClientTests {
    @Test("do not slow a good one, and are gone by the deadlines", .timeLimit(.minutes(2)))
    func gone() async throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(data: folder.path("data"))
        let start = Date()
        var crowd: [LoopbackConnection] = []
        for number in 0..<300 {
            let connection = try server.connect()
            switch number % 3 {
            case 0: try connection.send("POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nX-Slow: ")
            case 1:
                try connection.send(
                    "POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{")
            default: #expect(try connection.get("/nowhere").status == 404)
            }
            crowd.append(connection)
        }
        try waitUntil("all to be connected") { try server.metric("qoe_connections") == 300 }

        let good = try server.connect()
        var times: [TimeInterval] = []
        for _ in 0..<50 {
            let before = Date()
            let body = Array(SampleBatch.body(ids: [SampleBatch.newId()]).utf8)
            #expect(try good.post(ServerProcess.eventsPath, body).status == 202)
            times.append(Date().timeIntervalSince(before))
        }
        #expect(times.sorted()[25] < 0.2, "half of the posts took longer")
        #expect(Date().timeIntervalSince(start) < 15, "too late: the slow ones have begun to go")
        good.close()

        // 20 s for a whole request, 30 s without one.
        while try server.metric("qoe_connections") != 0, Date().timeIntervalSince(start) < 60 {
            for connection in crowd.prefix(200) { try? connection.send("x") }
            try await Task.sleep(for: .milliseconds(500))
        }
        let took = Date().timeIntervalSince(start)
        #expect(took > 25 && took < 45, "gone after \(took) s")
        #expect(try crowd[0].response().status == 408)
        #expect(try crowd[1].response().status == 408)
        #expect(crowd[2].isClosedByPeer())
        #expect(server.threads <= ServerProcess.restingThreads)
    }
}
