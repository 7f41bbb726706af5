/// A thread that does one piece of work at a time for another thread, which waits for it later.
package final class SideThread {
    private struct State: Sendable {
        var work: (@Sendable () throws -> Void)?
        /// What the last work threw, nil when it did not.
        var fault: (any Error)?
        var isEnding = false
    }

    private let state = Monitor(State())
    private let thread: SystemThread

    /// - Throws: what the system said, when it has no more threads.
    package init(name: String) throws(ThreadError) {
        thread = try SystemThread(name: name) { [state] in
            while true {
                state.wait(milliseconds: nil) { $0.work != nil || $0.isEnding }
                guard let work = state.read({ $0.work }) else { return }
                do {
                    try work()
                    state.change { ($0.work, $0.fault) = (nil, nil) }
                } catch {
                    state.change { ($0.work, $0.fault) = (nil, error) }
                }
            }
        }
    }

    deinit {
        state.change { $0.isEnding = true }
        thread.join()
    }

    /// Begins a piece of work; the one before has been waited for.
    package func begin(_ work: @escaping @Sendable () throws -> Void) {
        state.change { $0.work = work }
    }

    /// Waits until the work is done.
    ///
    /// - Throws: what it threw.
    package func wait() throws {
        state.wait(milliseconds: nil) { $0.work == nil }
        if let fault = state.read({ $0.fault }) { throw fault }
    }
}
