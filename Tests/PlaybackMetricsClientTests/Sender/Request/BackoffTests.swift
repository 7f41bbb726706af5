import TestSupport
import Testing

@testable import PlaybackMetricsClient

@Suite("The back-off")
final class BackoffTests {
    private var random: any RandomNumberGenerator & Sendable = SeededGenerator(seed: 7)
    private var backoff = Backoff(SenderConfiguration())

    private func allows(at now: Duration, overriding: Bool) -> Bool {
        backoff.allows(at: now, overriding: overriding)
    }

    @Test("doubles its span with every failure in a row, up to ten minutes")
    func spans() {
        var spans: [Duration] = []
        for _ in 0..<7 {
            spans.append(backoff.span)
            backoff.fail(at: .zero, retryAfter: nil, random: &random)
        }
        #expect(spans == [30, 60, 120, 240, 480, 600, 600].map { .seconds($0) })
        for _ in 0..<1000 { backoff.fail(at: .zero, retryAfter: nil, random: &random) }
        #expect(backoff.span == .seconds(600))
        backoff.succeed()
        #expect(backoff.span == .seconds(30))
        #expect(backoff.notBefore == nil)
    }

    @Test("waits for a time spread evenly over its whole span")
    func jitter() throws {
        var tenths = Array(repeating: 0, count: 10)
        for _ in 0..<10_000 {
            backoff.succeed()
            backoff.fail(at: .seconds(100), retryAfter: nil, random: &random)
            let wait = try #require(backoff.notBefore) - .seconds(100)
            #expect(wait >= .zero && wait < .seconds(30))
            tenths[Int(wait / .seconds(3))] += 1
        }
        #expect(tenths.allSatisfy { (850...1150).contains($0) }, "\(tenths)")
    }

    @Test("allows a request once the time has come, not before")
    func gate() throws {
        #expect(allows(at: .zero, overriding: false))
        backoff.fail(at: .zero, retryAfter: nil, random: &random)
        let due = try #require(backoff.notBefore)
        #expect(!allows(at: due - .nanoseconds(1), overriding: false))
        #expect(allows(at: due, overriding: false))
    }

    @Test("lets the way to the background pass once, until a request succeeds")
    func override() {
        for _ in 0..<8 { backoff.fail(at: .zero, retryAfter: nil, random: &random) }
        #expect(!allows(at: .zero, overriding: false))
        #expect(allows(at: .zero, overriding: true))
        backoff.fail(at: .zero, retryAfter: nil, random: &random)
        #expect(!allows(at: .zero, overriding: true))
        backoff.succeed()
        for _ in 0..<8 { backoff.fail(at: .zero, retryAfter: nil, random: &random) }
        #expect(allows(at: .zero, overriding: true))
    }

    @Test("takes the server's wait as a floor that nothing passes, with its own on top")
    func floor() throws {
        var waits: [Duration] = []
        for _ in 0..<200 {
            backoff.succeed()
            backoff.fail(at: .zero, retryAfter: .seconds(100), random: &random)
            waits.append(try #require(backoff.notBefore))
            #expect(!allows(at: .seconds(99.999), overriding: true))
        }
        #expect(waits.allSatisfy { $0 >= .seconds(100) && $0 < .seconds(130) })
        #expect(Set(waits).count > 190)
        // Past the server's floor only our own jitter is left to pass over.
        #expect(allows(at: .seconds(100), overriding: true))
    }

    @Test("believes at most an hour of it, and no negative time", arguments: [(86_400, 3600), (-5, 0)])
    func limits(asked: Int, believed: Int) throws {
        backoff.fail(at: .zero, retryAfter: .seconds(asked), random: &random)
        let due = try #require(backoff.notBefore)
        #expect(due >= .seconds(believed) && due < .seconds(believed + 30))
    }
}
