package import Archive
package import Platform
package import PlayFolding
internal import PlayStore
internal import PlaybackEvents
internal import Synchronization

/// How a ``ReportFolder`` works.
package struct FoldConfiguration: Sendable {
    package var limits = FolderLimits()
    /// How much its thread gives way to others when there are too few processors, 0 (not) to 19.
    package var niceness: Int32 = 5
    /// How long reports gather before they are looked at, in ms.
    package var pauseMs = 200
    /// How often it looks for reports when nobody wakes it, in ms.
    package var pollMs = 1_000
    /// How often it notes how far it has come, in ms.
    package var saveMs = 5_000
    /// While plays are open and nothing comes, a line that only says what time it is is written so often, in ms.
    package var tickMs = 60_000
    /// The wait after a first failure and the longest, in ms; it doubles from one to the other.
    package var firstRetryMs = 100
    package var longestRetryMs = 5_000
    /// Gets what an operator should read; called on its thread.
    package var onNotice: @Sendable (FoldNotice) -> Void = { _ in }

    package init() {}
}

/// Makes plays of what players report, beside the follower: reads the log of reports, keeps those of open plays, and puts a
/// play that closes into the plays' log.
package final class ReportFolder: Sendable {
    private struct State: Sendable {
        var status: Status
        var isStopping = false
        var hasEnded = false
        /// Counts the calls of ``ReportFolder/wake()``.
        var wakes: UInt64 = 0
        /// How many have asked to be told of the end, and how many of them have been told.
        var endsAsked: UInt64 = 0
        var endsReached: UInt64 = 0
    }

    /// How it stands.
    package struct Status: Sendable {
        /// All reports before it have been taken.
        package var position: LogPosition
        package var counters = FolderCounters()
        /// Plays that were archived since the start, by what closed them.
        package var archived: [ClosedPlay.Cause: Int] = [:]
        /// Gaps between the numbers of their reports.
        package var gaps = 0
        /// Lines of the log that are none.
        package var unreadable = 0
        /// Why the last try failed; nil when it did not.
        package var fault: String?
    }

    /// The thread has it as long as it runs, before and after that whoever calls.
    private let loop: Mutex<FoldLoop>
    private let committer: Committer
    private let configuration: FoldConfiguration
    private let now: @Sendable () -> Int64
    private let state: Monitor<State>
    private let thread = WorkerThread()

    /// - Parameter now: ms since 1970.
    package init(
        _ paths: DataPaths, committer: Committer, erased: ErasedPlays, configuration: FoldConfiguration,
        now: @escaping @Sendable () -> Int64
    ) {
        self.committer = committer
        self.configuration = configuration
        self.now = now
        let loop = FoldLoop(
            paths, committer: committer, erased: erased, limits: configuration.limits, onNotice: configuration.onNotice)
        state = Monitor(State(status: Status(position: loop.end)))
        self.loop = Mutex(loop)
    }

    package var status: Status { state.read { $0.status } }

    /// Bytes of reports that have not been taken.
    package var lagBytes: Int64 { committer.bytes(after: status.position, in: .reports) }

    /// Starts the thread.
    package func start() throws(ThreadError) {
        try thread.start(name: "folder", niceness: configuration.niceness) { [self] in loop.withLock { run($0) } }
    }

    /// There may be something new. Never blocks for long.
    package func wake() {
        state.change { $0.wakes &+= 1 }
    }

    /// Makes the thread end soon, without waiting for it.
    package func requestStop() {
        state.change { $0.isStopping = true }
    }

    /// Ends the thread. May be called again.
    package func stop() {
        requestStop()
        thread.join()
    }

    /// Returns when all reports that were there when this was called have been taken, and the plays that closed are durable.
    ///
    /// Without ``start()`` the work is done here, on the caller's thread.
    ///
    /// - Parameter closing: then closes all plays, as after silence; without the thread alone.
    /// - Throws: without the thread, what it failed with.
    package func foldToEnd(closing: Bool = false) throws {
        guard thread.isRunning else { return try loop.withLock { try foldHere($0, closing: closing) } }
        let mine = state.change { state in
            state.endsAsked += 1
            return state.endsAsked
        }
        state.wait(milliseconds: nil) { $0.endsReached >= mine || $0.hasEnded }
    }

    private func foldHere(_ loop: FoldLoop, closing: Bool) throws {
        while try loop.step() { note(loop) }
        if closing { try loop.closeAll() }
        try loop.save()
        note(loop)
    }

    // MARK: The thread

    private func run(_ loop: FoldLoop) {
        var failures = 0
        var nextSave = Self.milliseconds() + configuration.saveMs
        var lastLine = Self.milliseconds()
        while !state.read({ $0.isStopping }) {
            let (wakes, ends) = state.read { ($0.wakes, $0.endsAsked) }
            do {
                let hasRead = try loop.step()
                let time = Self.milliseconds()
                if hasRead { lastLine = time }
                if time >= nextSave {
                    try loop.save()
                    nextSave = time + configuration.saveMs
                }
                let isSilent = !hasRead && loop.isHolding && time - lastLine >= configuration.tickMs
                if isSilent {
                    try tick()
                    lastLine = time
                }
                // Only now nothing is left that fails.
                note(loop)
                if failures > 0 { configuration.onNotice(.recovered(failures: failures)) }
                failures = 0
                if hasRead { continue }
                state.change { $0.endsReached = max($0.endsReached, ends) }
                if isSilent { continue }
                let untilTick = loop.isHolding ? max(1, lastLine + configuration.tickMs - time) : Int.max
                state.wait(milliseconds: min(configuration.pollMs, untilTick)) {
                    $0.isStopping || $0.wakes != wakes || $0.endsAsked > $0.endsReached
                }
                // Reports gather, unless somebody waits for the end.
                state.wait(milliseconds: configuration.pauseMs) { $0.isStopping || $0.endsAsked > $0.endsReached }
            } catch {
                // A committer that stops is followed by a stop of this thread.
                if case .some(.stopping) = (error as? CommitError)?.reason { break }
                state.change { $0.status.fault = "\(error)" }
                if failures == 0 { configuration.onNotice(.failed("\(error)")) }
                let pause = min(configuration.longestRetryMs, configuration.firstRetryMs << min(failures, 16))
                failures += 1
                state.wait(milliseconds: pause) { $0.isStopping }
            }
        }
        // Without it the next start does a little more once again.
        try? loop.save()
        note(loop)
        state.change { $0.hasEnded = true }
    }

    /// Lets the log's clock go on though nothing comes.
    private func tick() throws(CommitError) {
        let time = now()
        var lines = LogLines(receivedAt: time)
        ReportLine(receivedAt: time, requestId: .random()).append(to: &lines.reports)
        try committer.commit(lines)
    }

    private func note(_ loop: FoldLoop) {
        let status = Status(
            position: loop.end, counters: loop.counters, archived: loop.archived, gaps: loop.gaps,
            unreadable: loop.unreadable)
        let isLimited = state.change { state in
            let before = state.status.archived[.limit, default: 0]
            state.status = status
            return before == 0 && status.archived[.limit, default: 0] > 0
        }
        if isLimited { configuration.onNotice(.limited) }
    }

    private static func milliseconds() -> Int {
        Int((ContinuousClock.now - origin) / .milliseconds(1))
    }

    private static let origin = ContinuousClock.now
}

/// What an operator should read of the making of plays.
package enum FoldNotice: Sendable, Equatable {
    /// It failed and will be tried again; what failed, in words.
    case failed(String)
    /// It goes on after so many failures.
    case recovered(failures: Int)
    /// A line of the log is none.
    case unreadable(position: LogPosition, reason: String)
    /// A stretch of the log that can't be read was passed over.
    case damaged(LogDamage)
    /// Plays were closed before their time, since all of them together had grown too large.
    case limited
}
