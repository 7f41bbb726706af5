import Foundation
import Platform
import Testing

@Suite("A clock")
struct ClockTests {
    @Test("that never steps never goes back, and has not begun in the future")
    func monotonic() {
        var last = MonotonicTime.now
        for _ in 0..<1_000 {
            let now = MonotonicTime.now
            #expect(now >= last)
            last = now
        }
        #expect(last.millisecondsLeft == 0)
    }

    @Test("counts what a thread has had of a processor, and no more for it than for its process")
    func processor() {
        let (thread, process) = (SystemClock.ofThread, SystemClock.ofProcess)
        var sum: UInt64 = 0
        while SystemClock.ofThread == thread { sum &+= 1 }
        #expect(SystemClock.ofThread > thread && SystemClock.ofProcess > process)
    }

    @Test("of the wall is that of the calendar, in ms")
    func wall() {
        let before = Int64(Date().timeIntervalSince1970 * 1_000)
        let now = WallClock.now()
        #expect((before - 1...before + 60_000).contains(now))
    }

    @Test("rounds what is left up, so that nobody wakes too early")
    func left() {
        let deadline = MonotonicTime.now + .seconds(3_600)
        #expect((3_500_000...3_600_000).contains(deadline.millisecondsLeft))
        #expect((MonotonicTime.now + .nanoseconds(1_000_000_000)).millisecondsLeft > 0)
        #expect(MonotonicTime.distantFuture.millisecondsLeft == .max)
    }

    @Test("takes durations between 0 and some centuries")
    func durations() {
        #expect(Duration.seconds(-1).inNanoseconds == 0 && Duration.milliseconds(1_500).inNanoseconds == 1_500_000_000)
        #expect(Duration.seconds(Int64.max).inNanoseconds == (1 << 33) * 1_000_000_000)
        let (seconds, microseconds) = Duration.zero.asTimeval
        #expect(seconds == 0 && microseconds == 1)
        #expect(Duration.milliseconds(2_500).asTimeval == (2, 500_000))
    }
}
