internal import CommandLineTool
import Foundation
internal import Platform
import Synchronization

/// The signals of a server: blocked before the first thread, and taken one by one by a thread of their own.
enum Signals {
    private enum Phase {
        /// Nothing is promised yet: a signal ends the process as it always would.
        case starting
        case serving
        case stopping
    }

    private static let phase = Mutex(Phase.starting)
    /// Those that ``waitForStop(onHangup:onLateness:stop:)`` has not seen yet.
    private static let taken = Mutex<[Int32]>([])
    private static let arrival = DispatchSemaphore(value: 0)

    /// How long a stop may take, in ms: a disk that hangs would keep the process for ever.
    private static let longestStopMs: UInt32 = 9_800

    /// Takes the signals from here on, in this thread and in every one made after it. Until ``beginServing()`` SIGTERM and SIGINT
    /// end the process at once.
    ///
    /// - Throws: when the system gives no thread: nobody would hear them.
    static func take() throws(CommandError) {
        var set = awaited
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A write to a connection that is gone, or beyond the longest file that is allowed, is an error and no end.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        do {
            try SystemThread.detach(name: "signals") { while true { note(next()) } }
        } catch {
            throw CommandError(.inputOutput, error.description)
        }
    }

    /// From here on a signal is a wish.
    static func beginServing() {
        phase.withLock { $0 = .serving }
    }

    /// Waits for SIGTERM or SIGINT and stops; a second one meanwhile ends the process at once, and so does the end of
    /// ``longestStopMs``.
    ///
    /// - Parameter onLateness: called before that, for the process' exit code.
    static func waitForStop(
        onHangup: () -> Void, onLateness: @escaping @Sendable () -> ExitCode, stop: () -> ExitCode
    ) -> ExitCode {
        while true {
            arrival.wait()
            guard taken.withLock({ $0.removeFirst() }) == SIGHUP else { break }
            onHangup()
        }
        // Without a thread a stop takes as long as it takes.
        try? SystemThread.detach(name: "end") {
            usleep(longestStopMs * 1_000)
            _exit(onLateness().rawValue)
        }
        return stop()
    }

    /// Lets ``waitForStop(onHangup:onLateness:stop:)`` begin as if somebody had sent SIGTERM; nothing when it has begun.
    static func stopThisProcess() {
        if phase.withLock({ $0 != .stopping }) { kill(getpid(), SIGTERM) }
    }

    /// What the thread does with a signal.
    private static func note(_ number: Int32) {
        if number != SIGHUP {
            let before = phase.withLock { phase in
                defer { if phase == .serving { phase = .stopping } }
                return phase
            }
            if before != .serving { _exit(128 + number) }
        }
        taken.withLock { $0.append(number) }
        arrival.signal()
        if number != SIGHUP { SignalEcho.absorb(awaited) }
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
