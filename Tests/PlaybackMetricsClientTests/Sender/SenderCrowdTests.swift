import Foundation
import PlaybackMetricsClient
import TestSupport
import Testing

@Suite("A thousand senders", .timeLimit(.minutes(2)))
struct SenderCrowdTests {
    private static let count = 1000

    /// Lets a thousand senders with a play each, that all go at 0, meet a server that is out until `outage`.
    ///
    /// - Returns: how many requests came in each second.
    private func requests(outage: Int, retryAfter: String?, seconds: Int) async -> [Int] {
        let clock = ManualClock()
        let http = OutageHTTPClient(clock: clock, until: .seconds(outage), retryAfter: retryAfter, seconds: seconds)
        let senders = (0..<Self.count).map { number in
            var seams = SenderSeams()
            seams.clock = clock
            seams.random = SeededGenerator(seed: UInt64(number))
            return PlaybackMetricsSender(http: http, configuration: .inMemory, seams: seams)
        }
        for sender in senders {
            sender.record(.sample())
            // They all fail together, as on a stadium's network that goes.
            await sender.flush()
            sender.start()
        }
        await clock.untilSleeping(Self.count)
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            await clock.untilSleeping(Self.count)
        }
        #expect(senders.allSatisfy { $0.stats.delivered == 1 })
        for sender in senders { await sender.stop() }
        return http.perSecond.value
    }

    @Test("do not come back together after an outage")
    func outage() async {
        let perSecond = await requests(outage: 600, retryAfter: nil, seconds: 2000)
        let afterwards = perSecond[600...]
        #expect(afterwards.reduce(0, +) == Self.count)
        #expect((afterwards.max() ?? 0) <= 15, "\(afterwards)")
        // Nor do they press during the outage: fewer and fewer come.
        #expect(perSecond[300..<600].reduce(0, +) < 3 * Self.count)
    }

    @Test("do not come back together at the second that the server named to all of them")
    func retryAfter() async {
        let perSecond = await requests(outage: 100, retryAfter: "120", seconds: 400)
        #expect(perSecond[1..<120].reduce(0, +) == 0)
        #expect(perSecond[120...].reduce(0, +) == Self.count)
        #expect((perSecond[120...].max() ?? 0) <= 60, "\(perSecond[120...])")
    }
}

/// A server that is out at first, and counts who comes when.
private final class OutageHTTPClient: HTTPClient {
    let perSecond: Mutable<[Int]>
    private let clock: ManualClock
    private let end: Duration
    private let retryAfter: String?

    init(clock: ManualClock, until end: Duration, retryAfter: String?, seconds: Int) {
        self.clock = clock
        self.end = end
        self.retryAfter = retryAfter
        perSecond = Mutable(Array(repeating: 0, count: seconds + 1))
    }

    func post(_ body: Data) async throws -> HTTPClientResponse {
        let now = clock.now
        perSecond.update { $0[Int(now.components.seconds)] += 1 }
        return now < end ? .status(503, retryAfter: retryAfter) : .status(202)
    }
}
