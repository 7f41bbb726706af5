internal import Glibc
internal import Synchronization

/// The system's clocks, in nanoseconds. None of these ever steps.
package enum SystemClock {
    /// The time that has passed.
    package static var monotonic: UInt64 { read(CLOCK_MONOTONIC) }

    /// What the calling thread has had of a processor: other programs on the machine do not lengthen it.
    package static var ofThread: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// What all threads of this process have had of processors.
    package static var ofProcess: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    fileprivate static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

/// The clock that people set, and that steps.
package enum WallClock {
    /// ms since 1970.
    package static func now() -> Int64 {
        Int64(SystemClock.read(CLOCK_REALTIME) / 1_000_000)
    }
}

/// A moment on the clock that nobody sets, in nanoseconds.
package struct MonotonicTime: Comparable, Sendable {
    package let nanoseconds: Int64

    package static var now: MonotonicTime {
        MonotonicTime(nanoseconds: Int64(truncatingIfNeeded: SystemClock.monotonic))
    }

    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    package static func < (one: MonotonicTime, other: MonotonicTime) -> Bool {
        one.nanoseconds < other.nanoseconds
    }

    package static func + (moment: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: moment.nanoseconds &+ duration.inNanoseconds)
    }

    /// Whole milliseconds from now on, rounded up so that a wait for them never ends too early; 0 when it is past.
    package var millisecondsLeft: Int32 {
        let left = nanoseconds - MonotonicTime.now.nanoseconds
        return left <= 0 ? 0 : Int32(clamping: (left + 999_999) / 1_000_000)
    }
}

extension Duration {
    /// Between 0 and some 270 years, so that a moment and a duration always make a moment.
    package var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(seconds, 1 << 33) * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// What `SO_RCVTIMEO` takes; never 0, which would be for ever.
    package var asTimeval: (seconds: Int, microseconds: Int) {
        let microseconds = max(inNanoseconds / 1_000, 1)
        return (Int(microseconds / 1_000_000), Int(microseconds % 1_000_000))
    }
}

/// A moment at which work is given up: never, until somebody sets it.
package final class Deadline: Sendable {
    /// Monotonic nanoseconds.
    private let moment = Atomic<UInt64>(.max)

    package init() {}

    package var hasPassed: Bool { SystemClock.monotonic >= moment.load(ordering: .relaxed) }

    /// Sets the moment, counted from now, unless it is set already.
    ///
    /// - Returns: whether it was not.
    @discardableResult
    package func set(inSeconds seconds: Int) -> Bool {
        let then = SystemClock.monotonic + UInt64(max(0, seconds)) * 1_000_000_000
        return moment.compareExchange(expected: .max, desired: then, ordering: .relaxed).exchanged
    }
}
