import Foundation
import PlaybackMetricsClient
import PlaybackSimulation
import TestSupport
import Testing

@Suite("Playing against a server")
struct LiveEndpointTests {
    /// Answers as a server would, and remembers the plays.
    private final class StubServer: HTTPClient, @unchecked Sendable {
        private let lock = NSLock()
        private var ids: Set<String> = []

        func post(_ body: Data) async throws -> HTTPClientResponse {
            let events = try JSONDecoder().decode(RecordedPlays.Body.self, from: body).events
            note(events.map(\.playId))
            return HTTPClientResponse(status: 202, body: Data(#"{"accepted":\#(events.count),"rejected":[]}"#.utf8))
        }

        private func note(_ new: [String]) {
            lock.lock()
            defer { lock.unlock() }
            ids.formUnion(new)
        }

        var plays: Set<String> {
            lock.lock()
            defer { lock.unlock() }
            return ids
        }
    }

    @Test("plays what a file would hold, with ids that no other run has")
    func samePlays() async throws {
        let recorded = try await RecordedPlays(.small())
        let (first, second) = (StubServer(), StubServer())
        for server in [first, second] {
            let report = await Simulation(.small()).play(
                to: LiveEndpoint(server), ids: TimeOrderedIDs.shared, width: 4)
            #expect(report == recorded.report)
            #expect(server.plays.count == recorded.plays.count)
        }
        #expect(first.plays.isDisjoint(with: second.plays))
    }

    @Test("stops when it is told to, with every play accounted for")
    func cancellation() async {
        let task = Task {
            await Simulation(.small(sessions: 200)).play(to: LiveEndpoint(StubServer()), pace: .real, width: 200)
        }
        // All of them wait for seconds to pass.
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        let report = await task.value
        #expect(report.plays == report.delivered + report.dropped + report.left)
        #expect(report.plays < 200)
    }

    @Test("leaves no file behind when it is interrupted")
    func interruption() throws {
        let folder = try TemporaryFolder()
        let program = BuiltProgram("qoe-simulate").path
        let result = try BuiltProgram.run(
            "timeout",
            [
                "--foreground", "--preserve-status", "--signal=INT", "3", program, "--sessions", "100000", "--output",
                folder.path("plays.ndjson"),
            ])
        #expect(result.status == 130)
        #expect(result.errors.contains("stopped"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
