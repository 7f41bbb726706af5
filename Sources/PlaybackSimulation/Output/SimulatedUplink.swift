internal import Foundation
internal import PlaybackMetricsClient

/// What lies between a sender and its endpoint: time, and what can go wrong on the way.
final class SimulatedUplink: HTTPClient, @unchecked Sendable {
    struct NoAnswer: Error {}

    private let lock = NSLock()
    private let clock: SimulatedClock
    private let endpoint: any SimulatedEndpoint
    private var chance: Chance
    private var condition = Uplink.open
    private var lastArrival: Int64 = .min

    init(clock: SimulatedClock, endpoint: any SimulatedEndpoint, chance: Chance) {
        self.clock = clock
        self.endpoint = endpoint
        self.chance = chance
    }

    func become(_ condition: Uplink) {
        locked { self.condition = condition }
    }

    func post(_ body: Data) async throws -> HTTPClientResponse {
        let (condition, arrival, fate) = locked {
            let arrival = max(lastArrival + 1, clock.milliseconds + Int64(chance.logNormal(median: 90, sigma: 0.5)))
            return (self.condition, arrival, chance.unit())
        }
        switch condition {
        case .blocked: throw NoAnswer()
        case .portal: return HTTPClientResponse(status: 302)
        case .swallowing: return HTTPClientResponse(status: 200)
        case .lossy where fate < 0.15: throw NoAnswer()
        case .lossy, .open:
            locked { lastArrival = arrival }
            let response = try await endpoint.receive(body, at: arrival)
            if condition == .lossy, fate < 0.4 { throw NoAnswer() }
            return response
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}
