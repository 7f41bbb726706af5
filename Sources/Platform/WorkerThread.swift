/// The thread of an object that starts it once, and ends it by a word of its own.
package final class WorkerThread: Sendable {
    private let running = Monitor<SystemThread?>(nil)

    package init() {}

    package var isRunning: Bool { running.read { $0 != nil } }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - niceness: how much it gives way to others when there are too few processors, 0 (not) to 19.
    ///   - body: what it does. What that holds and nobody else refers to is the thread's own from now on.
    /// - Throws: what the system said, when it has no more threads.
    package func start(
        name: String, niceness: Int32 = 0, _ body: sending @escaping () -> Void
    ) throws(ThreadError) {
        let started = try SystemThread(name: name, niceness: niceness, body)
        running.change { $0 = started }
    }

    /// Waits for its end, if it was started; may be called again.
    package func join() {
        let thread = running.change { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }
}
