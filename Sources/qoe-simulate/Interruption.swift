internal import CommandLineTool
import Dispatch
import Foundation

/// Ctrl-C and SIGTERM: the first ends the work in order, a second the process.
final class Interruption: Sendable {
    private let task = TaskBox()

    private final class TaskBox: @unchecked Sendable {
        private let lock = NSLock()
        private var task: Task<Void, Never>?
        private var isCancelled = false

        func hold(_ task: Task<Void, Never>) {
            lock.lock()
            defer { lock.unlock() }
            self.task = task
            if isCancelled { task.cancel() }
        }

        func cancel() {
            lock.lock()
            defer { lock.unlock() }
            isCancelled = true
            task?.cancel()
        }

        var wasCancelled: Bool {
            lock.lock()
            defer { lock.unlock() }
            return isCancelled
        }
    }

    private init() {}

    /// Takes the signals from now on.
    static func awaitSignals() -> Interruption {
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
        Thread.detachNewThread {
            var set = awaited
            var number: Int32 = 0
            sigwait(&set, &number)
            interruption.task.cancel()
            SignalEcho.absorb(awaited)
            sigwait(&set, &number)
            _exit(128 + number)
        }
        return interruption
    }

    /// Whether somebody asked to stop.
    var wasAskedToStop: Bool { task.wasCancelled }

    /// Runs `body` to its end on the pool of tasks while this thread waits; it is cancelled when somebody asks to stop.
    func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result? {
        let done = DispatchSemaphore(value: 0)
        let box = ResultBox<Result>()
        task.hold(
            Task {
                box.result = await body()
                done.signal()
            })
        done.wait()
        return box.result
    }

    /// Written before the semaphore is signalled, read after.
    private final class ResultBox<Result: Sendable>: @unchecked Sendable {
        var result: Result?
    }
}
