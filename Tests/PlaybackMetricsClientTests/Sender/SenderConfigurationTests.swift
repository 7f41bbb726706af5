import TestSupport
import Testing

@testable import PlaybackMetricsClient

@Suite("The sender's configuration")
struct SenderConfigurationTests {
    @Test("is what apps need when nothing is said")
    func defaults() {
        let defaults = SenderConfiguration()
        #expect(defaults.capacity == 500)
        #expect(defaults.batchLimit == 100)
        #expect(defaults.flushInterval == .seconds(30))
        #expect(defaults.sensible == defaults)
    }

    @Test("is brought to what makes sense", arguments: [Int.min, -1, 0])
    func tooSmall(_ value: Int) {
        var odd = SenderConfiguration()
        odd.capacity = value
        odd.batchLimit = value
        odd.flushInterval = .seconds(value)
        odd.backoffBase = .seconds(value)
        odd.backoffLimit = .seconds(value)
        odd.retryAfterLimit = .seconds(value)
        #expect(odd.sensible.capacity == 1 && odd.sensible.batchLimit == 1)
        #expect(odd.sensible.flushInterval == .seconds(1))
        #expect(odd.sensible.backoffBase == .zero && odd.sensible.backoffLimit == .zero)
        #expect(odd.sensible.retryAfterLimit == .zero)
    }

    @Test("overflows nothing, however large its figures")
    func tooLarge() {
        var odd = SenderConfiguration()
        odd.capacity = .max
        odd.batchLimit = .max
        odd.flushInterval = .seconds(Int64.max)
        odd.backoffBase = .seconds(Int64.max)
        odd.backoffLimit = .seconds(Int64.max)
        odd.retryAfterLimit = .seconds(Int64.max)
        var backoff = Backoff(odd.sensible)
        var random: any RandomNumberGenerator & Sendable = SeededGenerator(seed: 1)
        for _ in 0..<100 { backoff.fail(at: .zero, retryAfter: .seconds(Int64.max), random: &random) }
        #expect(backoff.span == .seconds(86_400))
        #expect(odd.sensible.capacity == 100_000 && odd.sensible.batchLimit == 1000)
    }

    @Test("of one summary keeps the latest")
    func one() async throws {
        let http = ScriptedHTTPClient()
        let bench = SenderBench(http, capacity: 0)
        bench.record(0..<3)
        await bench.sender.flush()
        #expect(try http.sentNumbers == [[2]])
        #expect(bench.sender.stats.dropped(.overflow) == 2)
    }
}
