internal import Glibc

/// Clocks that never step, in nanoseconds.
enum MonotonicTime {
    static var now: UInt64 { read(CLOCK_MONOTONIC) }

    /// What the calling thread has had of a processor: other programs on the machine do not lengthen it.
    static var ofThread: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// What all threads of this process have had of processors.
    static var ofProcess: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
