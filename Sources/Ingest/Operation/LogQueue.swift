internal import Dispatch
internal import Synchronization

/// Lets nobody wait for the log: lines wait here for whoever reads standard error, and are dropped and counted when too many
/// do.
package final class LogQueue: Sendable {
    private struct State {
        var waiting: [String] = []
        /// Bytes of the lines that wait, and of those that are being written.
        var bytes = 0
        var isWriting = false
        var dropped = 0
        /// Those of them that the log has not been told of.
        var untold = 0
    }

    private let state = Mutex(State())
    /// A reader that hangs keeps this queue's thread, and no other.
    private let queue = DispatchQueue(label: "log")
    private let mostBytes: Int
    private let now: @Sendable () -> Int64
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - mostBytes: how much may wait.
    ///   - now: ms since 1970.
    ///   - write: takes one line without its end; may block.
    package init(
        mostBytes: Int = 64 << 10, now: @escaping @Sendable () -> Int64, write: @escaping @Sendable (String) -> Void
    ) {
        self.mostBytes = mostBytes
        self.now = now
        self.write = write
    }

    /// How many lines were dropped.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Takes a line; never blocks.
    package func add(_ line: String) {
        let begins = state.withLock { state in
            guard state.bytes + line.utf8.count <= mostBytes else {
                state.dropped += 1
                state.untold += 1
                return false
            }
            state.waiting.append(line)
            state.bytes += line.utf8.count
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { [self] in writeAll() } }
    }

    /// Waits until every line has been written, but no longer than that.
    package func flush(patienceMs: Int) {
        let done = DispatchGroup()
        queue.async(group: done) {}
        _ = done.wait(timeout: .now() + .milliseconds(patienceMs))
    }

    private func writeAll() {
        while true {
            let (lines, untold) = state.withLock { state in
                defer { (state.waiting, state.untold) = ([], 0) }
                if state.waiting.isEmpty, state.untold == 0 { state.isWriting = false }
                return (state.waiting, state.untold)
            }
            if lines.isEmpty, untold == 0 { return }
            for line in lines {
                write(line)
                state.withLock { $0.bytes -= line.utf8.count }
            }
            if untold > 0 {
                let log = EventLog(now: now, write: write)
                log(.warning, "log lines dropped", ["lines": "\(untold)"])
            }
        }
    }
}
