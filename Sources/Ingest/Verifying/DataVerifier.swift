package import Archive
internal import PlaybackEvents
package import PlayStore
internal import PlayStoreClickHouse

/// Reads a data directory through: both logs, the database, and whether they tell the same. Changes nothing, and may run
/// beside a server.
package struct DataVerifier {
    /// Which part of the work goes on.
    package enum Step: Sendable {
        case reading, comparing
    }

    private let paths: DataPaths
    private let store: any StoreChoice
    /// How long a server's follower may take to reach what was in the logs when they were read, in ms.
    private let patienceMs: Int
    private let sleep: (_ milliseconds: Int) -> Void

    package init(
        _ paths: DataPaths, store: any StoreChoice = EmbeddedChoice(), patienceMs: Int = 30_000,
        sleep: @escaping (_ milliseconds: Int) -> Void
    ) {
        self.paths = paths
        self.store = store
        self.patienceMs = patienceMs
        self.sleep = sleep
    }

    /// - Parameter progress: gets how much of how much is done: bytes of files while reading, plays while comparing.
    /// - Throws: a ``FileError`` for a file that the system doesn't let it read, a ``SQLiteStoreError`` while somebody else has
    ///   the database locked, what a ClickHouse store says that does not answer.
    /// - Complexity: linear in the two logs, which are read twice, and the database.
    package func verify(progress: (Step, _ done: Int64, _ total: Int64) -> Void = { _, _, _ in }) throws
        -> DataVerification
    {
        var found = DataVerification()
        found.archive = try ArchiveVerifier(paths).verify { log, lines in
            guard log == .rejected else { return }
            found.strangeLines += lines.split(separator: 0x0A).count { !isQuarantined($0) }
        } progress: { done, total in
            progress(.reading, done, total)
        }
        let erasures = try erasures()
        do {
            found.unread = try unread(found.archive)
            let lines = Int64(found.archive.plays.lines)
            found.store = try store.verify(paths) { progress(.comparing, $0, lines) }
        } catch let fault as SQLiteStoreError where !fault.isBusy {
            found.storeFault = fault.description
        } catch let fault as ClickHouseStoreError {
            found.storeFault = fault.description
        }
        let after = try self.erasures()
        found.erasures = after.underWay.count
        // One that ended meanwhile may have changed between two looks what both tell of.
        if after.underWay.isEmpty, after.hasSeenMore(than: erasures), !found.kinds.isEmpty { found.erasures = 1 }
        return found
    }

    /// What tells whether anybody is or was being erased.
    private struct Erasures {
        var underWay: Set<String>
        var done: Set<String>
        var tombstones: Tombstones

        /// Whether an erasure went on since then, though whoever asked for it may have taken the answer away.
        func hasSeenMore(than before: Erasures) -> Bool {
            !before.underWay.isEmpty || !done.isSubset(of: before.done) || tombstones != before.tombstones
        }
    }

    private func erasures() throws -> Erasures {
        let folder = EraseFolder(paths)
        return try Erasures(
            underWay: Set(folder.ids(.position)), done: Set(folder.ids(.done)), tombstones: folder.tombstones())
    }

    private func isQuarantined(_ line: ArraySlice<UInt8>) -> Bool {
        (try? QuarantineLine.parse(line.span.bytes)) != nil
    }

    /// What of the logs, as far as they were read, the database has not; a running server gets time to load it.
    private func unread(_ report: ArchiveReport) throws -> [LogKind: Int64] {
        var waited = 0
        while true {
            let isServed = paths.hasWriter
            let positions = try store.positions(paths)
            var unread: [LogKind: Int64] = [:]
            for log in LogKind.followed {
                let reader = LogReader(directory: paths.log(log), log: log)
                if try reader.next(after: positions[log], upTo: report[log].end, maxBytes: 1) != nil {
                    unread[log] = try reader.bytes(after: positions[log])
                }
            }
            if unread.isEmpty || !isServed || waited >= patienceMs { return unread }
            sleep(100)
            waited += 100
        }
    }
}
