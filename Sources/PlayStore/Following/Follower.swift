package import Archive
package import Platform
internal import Synchronization

/// The only loader of a store: follows the logs from the store's place, on a thread of its own or on the caller's.
package final class Follower: Sendable {
    struct State: Sendable {
        var status: FollowerStatus
        var isStopping = false
        /// The process is about to end: what is there is to be loaded without a pause.
        var isHurried = false
        /// Counts the calls of ``Follower/wake()``.
        var wakes: UInt64 = 0
        /// How many have asked to be told of the end, and how many of them have been told.
        var endsAsked: UInt64 = 0
        var endsReached: UInt64 = 0
        /// Since when there has been something to load, in monotonic nanoseconds; nil when there is nothing.
        var behindSince: UInt64?
        /// The last time that the store was to put its files in order, it could not.
        var hasRestFailed = false
        var hasEnded = false
        /// What is of days before this one is to be removed, UTC days since 1970; nil when that is done.
        var pruneBefore: Int64?
        /// The plays removed of them so far.
        var pruned: Int64 = 0
        /// What is to be done on the store between two loads.
        var work: [FollowerWork] = []
    }

    /// The thread has it as long as it runs, before and after that whoever calls.
    let loop: Mutex<FollowLoop>
    /// From then on nothing more is loaded.
    let deadline = Deadline()
    /// So long after the first word of the process' end; the rest of the ten seconds that a stop may take is for others.
    private static let secondsToEnd = 1
    private let endStoreSoon: @Sendable () -> Void
    let configuration: FollowerConfiguration
    let state: Monitor<State>
    private let thread = WorkerThread()

    /// - Parameter store: the follower's alone from now on.
    package init(store: sending any Store, data: DataPaths, configuration: FollowerConfiguration = .init()) {
        state = Monitor(State(status: FollowerStatus(positions: store.positions, totals: store.totals)))
        endStoreSoon = store.endSoon
        loop = Mutex(FollowLoop(store: store, data: data, configuration: configuration, deadline: deadline))
        self.configuration = configuration
    }

    /// Starts the thread.
    package func start() throws(ThreadError) {
        try thread.start(name: "follower", niceness: configuration.niceness) { [self] in run() }
    }

    var isRunning: Bool { thread.isRunning }

    /// There is something new in a log. Never blocks for long.
    package func wake() {
        let now = SystemClock.monotonic
        state.change { state in
            state.wakes &+= 1
            state.behindSince = state.behindSince ?? now
        }
    }

    /// Has the thread remove what is of days before `day`, UTC days since 1970, an hour of plays at a time between loads.
    package func prune(before day: Int64) {
        state.change { state in
            state.pruneBefore = day
            state.pruned = 0
            state.wakes &+= 1
        }
    }

    /// Lets the load under way end, and ends the thread. May be called again.
    package func stop() {
        requestStop()
        thread.join()
        // One file is all of the database then. A reader that is under way, or a disk that fails, leaves the log beside it.
        loop.withLock { rest($0) }
    }

    /// Has the store put its files in order. Without ``start()``.
    func putInOrder() throws {
        try loop.withLock { try $0.rest() }
    }

    /// Makes the thread end soon, without waiting for it.
    package func requestStop() {
        state.change { $0.isStopping = true }
    }

    /// The process is about to end: reading goes on for a second and a commit a little longer, whenever ``stop()`` comes.
    package func endSoon() {
        if deadline.set(inSeconds: Self.secondsToEnd) { endStoreSoon() }
        state.change { $0.isHurried = true }
    }

    package var status: FollowerStatus {
        let now = SystemClock.monotonic
        return state.read { state in
            var status = state.status
            status.lagSeconds = state.behindSince.map { Double(now &- min($0, now)) / 1e9 } ?? 0
            return status
        }
    }

    /// Returns when the store holds all that was in the logs when this was called.
    ///
    /// Without ``start()`` the work is done here, on the caller's thread.
    ///
    /// - Parameter progress: gets the status after every commit, on the thread that works here.
    /// - Throws: without the thread: what a load failed with, once patience is over. With it: ``FollowerStopped``.
    package func followToEnd(progress: (FollowerStatus) -> Void = { _ in }) throws {
        guard thread.isRunning else { return try followHere(progress) }
        let mine = state.change { state in
            state.endsAsked += 1
            return state.endsAsked
        }
        state.wait(milliseconds: nil) { $0.endsReached >= mine || $0.hasEnded }
        if state.read({ $0.endsReached < mine }) { throw FollowerStopped() }
    }

    private func followHere(_ progress: (FollowerStatus) -> Void) throws {
        try loop.withLock { loop in
            var backoff = FollowerBackoff(configuration)
            var waited = 0
            while !state.read({ $0.isStopping }) {
                do {
                    let wakes = state.read { $0.wakes }
                    let result = try loop.load()
                    noteLoad(result, of: loop, wakes: wakes, ends: 0, &backoff)
                    if result != .nothing { progress(status) }
                    if result != .full { return try loop.finish { [state] in state.read { $0.isStopping } } }
                    waited = 0
                } catch let error as any TransientError where error.isTransient && waited < configuration.patienceMs {
                    let pause = noteFailure(error, &backoff)
                    state.wait(milliseconds: pause) { $0.isStopping }
                    waited += pause
                }
            }
            throw FollowerStopped()
        }
    }
}

/// The follower was stopped before it had come to the end.
package struct FollowerStopped: Error, CustomStringConvertible {
    package var description: String { "the follower was stopped before the store held all of the log" }
}
