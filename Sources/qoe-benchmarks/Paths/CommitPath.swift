internal import Archive
internal import Foundation
internal import Platform
internal import Synchronization

/// Group commits from many threads at once: compressed, written, synced.
enum CommitPath {
    static func measure(requests: Int, threads: Int = 32, into table: inout ResultTable) throws {
        let folder = try WorkFolder()
        let committer = try Committer(directory: DataDirectory(folder.path))
        var log = SampleLog()
        let parts = try (0..<requests).map { _ in
            var lines: [UInt8] = []
            let receivedAt = try log.appendLines(to: &lines)
            return LogLines(plays: lines, receivedAt: receivedAt)
        }
        let failures = Mutex(0)
        let start = SystemClock.monotonic
        let senders = try (0..<threads).map { first in
            try SystemThread(name: "sender") {
                for index in stride(from: first, to: parts.count, by: threads) {
                    do { try committer.commit(parts[index]) } catch { failures.withLock { $0 += 1 } }
                }
            }
        }
        for sender in senders { sender.join() }
        let seconds = Double(SystemClock.monotonic - start) / 1e9
        let snapshot = committer.snapshot()
        committer.stop()
        guard failures.withLock({ $0 == 0 }) else { throw CommitFault(.failed, "a commit of the benchmark failed") }
        table.add(
            "group commit, \(threads) threads",
            "\(figure(Double(log.plays) / seconds)) events/s, \(figure(Double(snapshot.archivedBytes) / Double(log.plays)))"
                + " bytes each")
    }
}
