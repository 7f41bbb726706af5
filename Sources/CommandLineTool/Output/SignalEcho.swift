package import Glibc
internal import Platform

/// The same wish said twice: `timeout` and other parents send a signal to their child and then to the group that it is in.
package enum SignalEcho {
    /// How long after a signal another one is its echo, in ms: no person sends a second one so soon.
    package static let lengthMs: Int64 = 50

    /// Takes the echoes of a signal that has just been taken, so that the next one is somebody's second thought.
    ///
    /// - Parameter signals: what is blocked and awaited.
    package static func absorb(_ signals: sigset_t) {
        var set = signals
        let end = MonotonicTime.now + .milliseconds(lengthMs)
        while case let left = end.millisecondsLeft, left > 0 {
            var time = timespec(tv_sec: 0, tv_nsec: Int(left) * 1_000_000)
            _ = sigtimedwait(&set, nil, &time)
        }
    }
}
