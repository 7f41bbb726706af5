internal import CommandLineTool
import Foundation

/// A progress bar that several devices move at once.
final class SharedProgress: @unchecked Sendable {
    private let lock = NSLock()
    private let total: Int
    private var bar: ProgressBar
    private var done = 0

    init(_ title: String, sessions: Int) {
        total = sessions
        bar = ProgressBar(title, unit: "sessions")
    }

    func add(_ sessions: Int) {
        lock.lock()
        defer { lock.unlock() }
        done += sessions
        bar.update(done: min(done, total), of: total)
    }

    func finish() {
        lock.lock()
        defer { lock.unlock() }
        bar.finish()
    }
}
