internal import CommandLineTool
import Foundation
import Synchronization

/// The signals of a server: blocked before the first thread, taken one by one in main.
enum Signals {
    /// Blocks what ``waitForStop(onHangup:onLateness:stop:)`` takes, in this thread and in every one made after it.
    static func blockForWaiting() {
        var set = awaited
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A write to a connection that is gone, or beyond the longest file that is allowed, is an error and no end.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// How long a stop may take, in ms: a disk that hangs would keep the process for ever.
    private static let longestStopMs: UInt32 = 9_800

    /// Waits for SIGTERM or SIGINT and stops; a second one meanwhile ends the process at once, and so does the end of
    /// ``longestStopMs``.
    ///
    /// - Parameter onLateness: called before that.
    static func waitForStop(
        onHangup: () -> Void, onLateness: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> ExitCode
    ) -> ExitCode {
        while next() == SIGHUP { onHangup() }
        Thread.detachNewThread {
            usleep(longestStopMs * 1_000)
            onLateness()
            _exit(ExitCode.inputOutput.rawValue)
        }
        Thread.detachNewThread {
            SignalEcho.absorb(awaited)
            while next() == SIGHUP {}
            _exit(128 + SIGTERM)
        }
        return stop()
    }

    /// Lets ``waitForStop(onHangup:onLateness:stop:)`` begin as if somebody had sent SIGTERM.
    static func stopThisProcess() {
        kill(getpid(), SIGTERM)
    }

    private static var awaited: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        return set
    }

    private static func next() -> Int32 {
        var set = awaited
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
        return number
    }
}
