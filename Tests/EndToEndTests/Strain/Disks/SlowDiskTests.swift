import Foundation
import Testing
import TestSupport

extension UnderStrain {
    @Suite("a slow disk")
    struct SlowDiskTests {
        @Test("with 300 clients keeps memory within the budget, and tells some of them to come back at differing times")
        func slow() throws {
            let folder = try TemporaryFolder()
            let server = try ServerProcess(data: folder.path("data"))
            try server.post(SampleBatch.body(ids: [SampleBatch.newId()]))
            let strace = try StraceAttachment(server, "fdatasync", "delay_enter=700000")
            // 300 bodies of 300 KB do not fit into 64 MiB.
            let load = PlayLoad(eventsPerBatch: 6, paddingBytes: 300_000)
            let before = server.residentBytes
            let players = load.start(port: server.port, connections: 300)
            var samples: [(resident: Int, budget: Double)] = []
            var threads = 0
            let start = Date()
            while Date().timeIntervalSince(start) < 10 {
                samples.append((server.residentBytes, try server.metric("qoe_in_flight_bytes") ?? 0))
                threads = max(threads, server.threads)
                usleep(250_000)
            }
            let last = try server.metrics()
            load.stop()
            #expect(players.wait(timeout: .now() + 30) == .success)
            strace.detach()

            #expect(load.answers[202] ?? 0 > 300)
            #expect(load.answers[503] ?? 0 > 0)
            #expect(Set(load.answers.keys) == [202, 503])
            #expect(load.retryAfter.count > 3, "\(load.retryAfter)")
            #expect(last[#"qoe_requests_refused_total{reason="queue"}"#] ?? 0 > 0)
            #expect(samples.allSatisfy { $0.budget <= 67_108_864 })
            let peak = samples.map(\.resident).max() ?? 0
            // 300 connections with their stacks and buffers come on top of the budget.
            #expect(peak - before < (64 + 48) << 20, "\(before) bytes before, \(peak) at most")
            // All clients have come by the end of the first third.
            let third = samples.count / 3
            let early = samples[third..<2 * third].map(\.resident).max() ?? 0
            let late = samples[(2 * third)...].map(\.resident).max() ?? 0
            #expect(late < early + 16 << 20, "\(early) bytes in the second third, \(late) in the last")
            #expect(threads < 320)

            try waitUntil("the connections to go") { try server.metric("qoe_connections") == 0 }
            #expect(server.threads <= ServerProcess.restingThreads)
            #expect(
                server.residentBytes - before < 32 << 20, "\(before) bytes before, \(server.residentBytes) at the end")
            try server.waitForFollower()
            #expect(server.stop() == 0)
            try expectKept(load.acknowledged, in: server.dataDirectory, sent: load.sent + 1)
        }
    }
}
