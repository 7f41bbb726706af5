package import Archive
internal import Platform
internal import PlayStore
internal import Synchronization

/// Keeps a data directory small beside ingest: removes files and plays of old days, and compacts closed files, one at a time,
/// on a thread that gives way to everybody.
package final class Housekeeper: Sendable {
    private struct State: Sendable {
        var isStopping = false
        var counters = HousekeepingCounters()
    }

    /// What a round leaves for the next.
    private struct Memory {
        /// Files that need no second look: compacted, or left for good.
        var done: Set<SegmentName> = []
        /// The day before which the follower was told to remove plays.
        var prunedBefore: Int64?
        var hasSaidNoRoom = false
        var hasFailed = false
    }

    private let directory: DataDirectory
    private let committer: Committer
    private let follower: Follower
    private let configuration: HousekeepingConfiguration
    private let now: @Sendable () -> Int64
    private let state = Monitor(State())
    private let thread = WorkerThread()

    private let memory = Mutex(Memory())

    /// - Parameter now: ms since 1970.
    init(
        _ directory: DataDirectory, committer: Committer, follower: Follower, configuration: HousekeepingConfiguration,
        now: @escaping @Sendable () -> Int64
    ) {
        self.directory = directory
        self.committer = committer
        self.follower = follower
        self.configuration = configuration
        self.now = now
    }

    package var counters: HousekeepingCounters { state.read { $0.counters } }

    /// Starts the thread.
    func start() throws(ThreadError) {
        try thread.start(name: "housekeeper", niceness: configuration.niceness) { [self] in
            while !isStopping {
                round()
                state.wait(milliseconds: configuration.pollMs) { $0.isStopping }
            }
        }
    }

    /// Makes the thread end soon, without waiting for it.
    package func requestStop() {
        state.change { $0.isStopping = true }
    }

    /// Ends the thread; a file that is being compacted stays as it was. May be called again.
    func stop() {
        requestStop()
        thread.join()
    }

    private var isStopping: Bool { state.read { $0.isStopping } }

    /// Does what there is to do: first what makes room.
    package func round() {
        memory.withLock { round(&$0) }
    }

    private func round(_ memory: inout Memory) {
        do {
            let today = UTCDay(holding: now())
            try pruneFiles(today, &memory)
            prunePlays(today, &memory)
            if configuration.compacts { try compact(today, &memory) }
            if memory.hasFailed { configuration.onNotice(.recovered) }
            memory.hasFailed = false
        } catch {
            if !memory.hasFailed { configuration.onNotice(.failed("\(error)")) }
            memory.hasFailed = true
        }
    }

    /// Up to where all who follow a log have read it.
    private func readUpTo(_ kind: LogKind) throws(FileError) -> LogPosition {
        let positions = follower.status.positions
        return switch kind {
        case .plays: positions.plays
        case .rejected: positions.rejected
        case .reports: try FoldPositions.read(directory.paths)?.from ?? .beginning
        }
    }

    // MARK: Old days

    private func pruneFiles(_ today: UTCDay, _ memory: inout Memory) throws {
        guard let days = configuration.keepArchiveDays else { return }
        for kind in LogKind.allCases where !isStopping {
            let kept = kind == .reports ? min(days, configuration.keepReportDays) : days
            let day = UTCDay(number: today.number - Int64(kept))
            let position = try readUpTo(kind)
            let removed = try directory.changingClosedFiles {
                try LogPruner(directory).prune(kind, before: day, readUpTo: position) { segment in
                    committer.note(segment, bytes: 0)
                    memory.done.remove(segment)
                }
            }
            guard removed.files > 0 else { continue }
            state.change { state in
                state.counters.prunedFiles += removed.files
                state.counters.prunedBytes += removed.bytes
            }
            configuration.onNotice(.pruned(kind, removed, before: day))
        }
    }

    /// Once a day: the follower does it between loads.
    private func prunePlays(_ today: UTCDay, _ memory: inout Memory) {
        guard let days = configuration.keepDays else { return }
        let day = today.number - Int64(days)
        // A clock that was set back removes nothing.
        guard day > memory.prunedBefore ?? .min else { return }
        memory.prunedBefore = day
        follower.prune(before: day)
    }

    // MARK: Closed files

    private func compact(_ today: UTCDay, _ memory: inout Memory) throws {
        let compactor = LogCompactor(directory, freeBytes: configuration.freeBytes) { [self] in isStopping }
        for kind in [LogKind.plays, .reports] {
            let position = try readUpTo(kind)
            for segment in try compactor.candidates(kind, before: today, readUpTo: position)
            where !memory.done.contains(segment) {
                if isStopping { return }
                let isDone = try directory.changingClosedFiles {
                    try compactor.isCompacted(segment) || compact(segment, compactor, &memory)
                }
                guard isDone else { return }
                memory.done.insert(segment)
            }
        }
    }

    /// - Returns: whether the file needs no second look; false when there is no sense in trying another one now.
    private func compact(
        _ segment: SegmentName, _ compactor: LogCompactor, _ memory: inout Memory
    ) throws -> Bool {
        switch try compactor.compact(segment) {
        case .compacted(let before, let after):
            committer.note(segment, bytes: after)
            state.change { state in
                state.counters.compacted += 1
                state.counters.savedBytes += before - after
            }
            memory.hasSaidNoRoom = false
            configuration.onNotice(.compacted(file: segment.label, before: before, after: after))
        case .left(let reason):
            configuration.onNotice(.left(file: segment.label, reason: reason))
        case .noRoom(let needed, let free):
            if !memory.hasSaidNoRoom {
                configuration.onNotice(.noRoom(file: segment.label, needed: needed, free: free))
            }
            memory.hasSaidNoRoom = true
            return false
        case .interrupted:
            return false
        }
        return true
    }
}

/// What an operator should read of a ``Housekeeper``.
package enum HousekeepingNotice: Sendable, Equatable {
    /// A closed file of a log was compacted: its bytes before and after.
    case compacted(file: String, before: Int64, after: Int64)
    /// A closed file stays as it is.
    case left(file: String, reason: String)
    /// There is no room for a second copy of a file; it is tried again, and said once until there is.
    case noRoom(file: String, needed: Int64, free: Int64)
    /// Old files of a log were removed: those of days before this one.
    case pruned(LogKind, LogPruner.Removed, before: UTCDay)
    /// It failed and will be tried again; what failed, in words.
    case failed(String)
    /// It goes on.
    case recovered
}

/// What a ``Housekeeper`` has done since its start.
package struct HousekeepingCounters: Sendable, Equatable {
    package var compacted = 0
    package var savedBytes: Int64 = 0
    package var prunedFiles = 0
    package var prunedBytes: Int64 = 0

    package init() {}
}
