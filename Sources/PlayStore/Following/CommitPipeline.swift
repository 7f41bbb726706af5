internal import Archive
internal import Platform
internal import PlaybackEvents
internal import Synchronization

/// A store and the lines on their way to it: they are gathered on the thread that calls, while what was sealed before is
/// committed on another.
protocol CommitPipeline: AnyObject {
    /// Up to where lines have been sealed.
    var sealed: LogPositions { get }
    /// What the store has committed, as it was when this was last known.
    var committed: (positions: LogPositions, totals: StoreTotals) { get }
    /// How many rows have been gathered and not yet sealed.
    var gathered: Int { get }

    /// - Throws: what the store said; then nothing was taken.
    func gather(_ lines: borrowing LoggedPlays, unloadable: Int) throws -> [Int]
    func gather(_ rejections: RejectionTally) throws

    /// Makes what is gathered ready to be committed. What was sealed before has been committed.
    func seal(upTo positions: LogPositions) throws

    /// Begins the commit of what is sealed, on the other thread.
    func beginCommit() throws

    /// Waits for the commit that is under way, and makes up for one that failed.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func finishCommit() throws -> Bool

    /// Waits for the commit that is under way.
    ///
    /// - Throws: what it failed with.
    func leave() throws

    /// Lends the store when no commit is under way.
    func withStore<Value: Sendable>(_ body: @Sendable (any Store) throws -> Value) throws -> Value
}

func makePipeline(_ store: sending some Store) -> any CommitPipeline {
    StorePipeline(store)
}

private final class StorePipeline<S: Store>: CommitPipeline {
    private let store: SharedStore<S>
    /// Nil before the first line, and when what it knew of the store has been removed.
    private var gatherer: S.Gatherer?
    private var generation: Int
    private var side: SideThread?
    private var isCommitting = false
    private(set) var sealed: LogPositions
    private(set) var committed: (positions: LogPositions, totals: StoreTotals)

    init(_ store: sending S) {
        committed = (store.positions, store.totals)
        sealed = store.positions
        generation = store.generation
        self.store = SharedStore(store)
    }

    // MARK: Gathering

    var gathered: Int { gatherer?.count ?? 0 }

    func gather(_ lines: borrowing LoggedPlays, unloadable: Int) throws -> [Int] {
        try haveGatherer()
        return gatherer?.gather(lines, unloadable: unloadable) ?? []
    }

    func gather(_ rejections: RejectionTally) throws {
        try haveGatherer()
        gatherer?.gather(rejections)
    }

    func seal(upTo positions: LogPositions) throws {
        try haveGatherer()
        guard let batch = gatherer?.seal(reusing: store.takeSpent()) else { return }
        store.put(batch, upTo: positions)
        sealed = positions
    }

    /// Without one no commit is under way that would keep the store.
    private func haveGatherer() throws {
        if gatherer == nil { gatherer = try store.gatherer() }
    }

    // MARK: Committing

    func beginCommit() throws {
        let side = try self.side ?? SideThread(name: "follower's commits")
        self.side = side
        isCommitting = true
        side.begin { [store] in try store.commit() }
    }

    func finishCommit() throws -> Bool {
        let wasCommitting = isCommitting
        try leave()
        if wasCommitting { look() }
        guard sealed != committed.positions else { return wasCommitting }
        try store.commit()
        look()
        return true
    }

    func leave() throws {
        guard isCommitting else { return }
        isCommitting = false
        try side?.wait()
    }

    func withStore<Value: Sendable>(_ body: @Sendable (any Store) throws -> Value) throws -> Value {
        defer { look() }
        return try store.with(body)
    }

    private func look() {
        let now = store.state()
        committed = (now.positions, now.totals)
        if now.generation != generation { gatherer = nil }
        generation = now.generation
    }
}

/// A store behind a lock: whichever thread has the lock commits what was put beside it.
private final class SharedStore<S: Store>: Sendable {
    typealias Batch = S.Gatherer.Batch

    private struct Content {
        let store: S
        var sealed: (batch: Batch, end: LogPositions)?
        /// What has been committed, for its memory.
        var spent: Batch?
    }

    private let content: Mutex<Content>

    init(_ store: sending S) {
        content = Mutex(Content(store: store))
    }

    func put(_ batch: Batch, upTo end: LogPositions) {
        content.withLock { $0.sealed = (batch, end) }
    }

    func commit() throws {
        try content.withLock { content in
            guard let (batch, end) = content.sealed else { return }
            try content.store.commit(batch, upTo: end)
            content.spent = batch
            content.sealed = nil
        }
    }

    func takeSpent() -> Batch? {
        content.withLock { $0.spent.take() }
    }

    func gatherer() throws -> S.Gatherer {
        try content.withLock { try $0.store.gatherer() }
    }

    func state() -> (positions: LogPositions, totals: StoreTotals, generation: Int) {
        content.withLock { ($0.store.positions, $0.store.totals, $0.store.generation) }
    }

    func with<Value: Sendable>(_ body: @Sendable (any Store) throws -> Value) throws -> Value {
        try content.withLock { try body($0.store) }
    }
}
