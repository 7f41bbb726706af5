import PlaybackMetricsClient
import Testing

@testable import PlaybackMetricsAVFoundation

@Suite("The rule of jumps")
struct JumpRuleTests {
    private var rule = JumpRule()

    private func instant(_ milliseconds: Int) -> PlaybackInstant { .init(sinceOrigin: .milliseconds(milliseconds)) }

    private mutating func take(_ input: PlaybackInput, _ milliseconds: Int) -> [JumpRule.Timed] {
        rule.take(input, at: instant(milliseconds))
    }

    private func timed(_ input: PlaybackInput, _ milliseconds: Int) -> JumpRule.Timed {
        .init(input: input, instant: instant(milliseconds))
    }

    @Test("passes on at once what is no wait")
    mutating func passes() {
        let passed = take(.status(.playing), 5)
        #expect(passed == [timed(.status(.playing), 5)])
    }

    @Test("holds a wait back until 300 ms have passed, and what comes meanwhile behind it")
    mutating func holds() {
        let first = take(.status(.stalled), 0)
        let second = take(.status(.playing), 300)
        let third = take(.bitrate(1), 301)
        #expect(first.isEmpty && second.isEmpty)
        #expect(third == [timed(.status(.stalled), 0), timed(.status(.playing), 300), timed(.bitrate(1), 301)])
    }

    @Test("begins the seek with the wait that came up to 300 ms before the jump")
    mutating func jumpAfter() {
        _ = take(.status(.stalled), 0)
        _ = take(.status(.playing), 100)
        let passed = rule.jump(at: instant(300))
        #expect(
            passed == [
                timed(.seekBegan, 0), timed(.status(.stalled), 0), timed(.status(.playing), 100),
                timed(.seekEnded, 300),
            ])
    }

    @Test("lets an earlier wait be")
    mutating func jumpLate() {
        _ = take(.status(.stalled), 0)
        let passed = rule.jump(at: instant(301))
        #expect(passed == [timed(.status(.stalled), 0), timed(.seekBegan, 301), timed(.seekEnded, 301)])
    }

    @Test(
        "holds nothing back from the end of a play",
        arguments: [PlaybackInput.stop, .suspended, .status(.ended), .status(.failed(PlaybackError("x")))])
    mutating func closes(_ input: PlaybackInput) {
        _ = take(.status(.loading), 0)
        let passed = take(input, 10)
        #expect(passed == [timed(.status(.loading), 0), timed(input, 10)])
    }
}
