import Foundation
import PlaybackMetricsClient
import Testing

@testable import PlaybackSimulation

@Suite("A simulated way to the endpoint")
struct SimulatedUplinkTests {
    private let endpoint = RecordingEndpoint()
    private let clock = SimulatedClock(at: 1_000_000)

    private func uplink(_ condition: Uplink) -> SimulatedUplink {
        let uplink = SimulatedUplink(clock: clock, endpoint: endpoint, chance: Chance(seed: 1))
        uplink.become(condition)
        return uplink
    }

    @Test("brings a request to the endpoint a little later, and every one after the one before")
    func open() async throws {
        let uplink = uplink(.open)
        for _ in 0..<50 { #expect(try await uplink.post(Data("{}".utf8)).status == 202) }
        let times = endpoint.requests.map(\.receivedAt)
        #expect(times.count == 50)
        #expect(Set(times).count == 50)
        #expect(try #require(times.min()) > 1_000_000)
        #expect(try #require(times.max()) < 1_002_000)
    }

    @Test("brings nothing where it is blocked, redirected or swallowed")
    func closed() async throws {
        await #expect(throws: SimulatedUplink.NoAnswer.self) { try await uplink(.blocked).post(Data()) }
        #expect(try await uplink(.portal).post(Data()).status == 302)
        #expect(try await uplink(.swallowing).post(Data()).status == 200)
        #expect(endpoint.requests.isEmpty)
    }

    @Test("loses some requests and some answers where it is lossy")
    func lossy() async throws {
        let uplink = uplink(.lossy)
        var answered = 0
        for _ in 0..<200 where (try? await uplink.post(Data())) != nil { answered += 1 }
        let arrived = endpoint.requests.count
        #expect((90...150).contains(answered))
        #expect(arrived > answered)
        #expect(arrived < 200)
    }
}
