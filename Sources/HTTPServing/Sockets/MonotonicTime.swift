internal import Glibc

/// A moment on the clock that nobody sets, in nanoseconds.
struct MonotonicTime: Comparable {
    let nanoseconds: Int64

    static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func < (one: MonotonicTime, other: MonotonicTime) -> Bool {
        one.nanoseconds < other.nanoseconds
    }

    static func + (moment: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: moment.nanoseconds &+ duration.inNanoseconds)
    }

    /// Whole milliseconds from now on, rounded up so that a wait for them never ends too early; 0 when it is past.
    var millisecondsLeft: Int32 {
        let left = nanoseconds - MonotonicTime.now.nanoseconds
        return left <= 0 ? 0 : Int32(clamping: (left + 999_999) / 1_000_000)
    }
}

extension Duration {
    /// Between 0 and a thousand years.
    var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(seconds, 1 << 33) * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// What `SO_RCVTIMEO` takes; never 0, which would be for ever.
    var asTimeval: (seconds: Int, microseconds: Int) {
        let microseconds = max(inNanoseconds / 1_000, 1)
        return (Int(microseconds / 1_000_000), Int(microseconds % 1_000_000))
    }
}
