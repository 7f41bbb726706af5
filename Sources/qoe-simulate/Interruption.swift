internal import CommandLineTool
import Foundation
internal import Platform
import Synchronization

/// Ctrl-C and SIGTERM: the first ends the work in order, a second the process.
final class Interruption: Sendable {
    private struct Work {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let work = Mutex(Work())

    private init() {}

    /// Takes the signals from now on.
    ///
    /// - Throws: when the system gives no thread: nobody would hear them.
    static func awaitSignals() throws(CommandError) -> Interruption {
        let interruption = Interruption()
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        // Blocked before any other thread is made: only the one below takes them.
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A reader that went away is an error of writing, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let awaited = set
        do {
            try SystemThread.detach(name: "signals") {
                var set = awaited
                var number: Int32 = 0
                sigwait(&set, &number)
                interruption.cancel()
                SignalEcho.absorb(awaited)
                sigwait(&set, &number)
                _exit(128 + number)
            }
        } catch {
            throw CommandError(.inputOutput, error.description)
        }
        return interruption
    }

    /// Whether somebody asked to stop.
    var wasAskedToStop: Bool { work.withLock { $0.isCancelled } }

    /// Runs `body` to its end on the pool of tasks while this thread waits; it is cancelled when somebody asks to stop.
    func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
        let outcome = PendingValue<Result>()
        hold(Task { outcome.fulfil(await body()) })
        return outcome.wait()
    }

    private func hold(_ task: Task<Void, Never>) {
        work.withLock { work in
            work.task = task
            if work.isCancelled { task.cancel() }
        }
    }

    private func cancel() {
        work.withLock { work in
            work.isCancelled = true
            work.task?.cancel()
        }
    }
}
