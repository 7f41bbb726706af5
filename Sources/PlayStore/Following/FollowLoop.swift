package import Archive
internal import Platform
package import PlaybackEvents
internal import Synchronization

/// Brings lines from the logs into a store, commit by commit. Used by one thread at a time.
///
/// While there is much to load, one batch is read and gathered as the one before it is committed.
final class FollowLoop {
    /// What became of one turn.
    enum Load {
        /// There was nothing to load.
        case nothing
        /// All there was has been committed.
        case rest
        /// A full batch is being committed, or the process ends; there is likely more.
        case full
    }

    private let store: any Store
    private let configuration: FollowerConfiguration
    private let data: DataPaths
    /// Whose plays were erased; nil before they were looked up.
    private var tombstones: Tombstones?
    private let readers: [LogKind: LogReader]
    private var side: SideThread?
    // Reused from chunk to chunk: new memory of that size costs as much as a tenth of loading what it holds.
    private var chunk = LogChunk(start: .beginning)
    private var lines = LoggedPlays()
    /// Lines that still have to go to the quarantine before the next commit.
    private var unloadable: [UnloadableLine] = []

    /// Up to where lines have been gathered, and up to where they have been sealed.
    private var reached: LogPositions
    private var sealed: LogPositions
    private var isCommitting = false
    /// From then on nothing more is read: monotonic nanoseconds, `.max` while the process does not end.
    private let end = Atomic<UInt64>(.max)
    /// So long after the first word of the process' end; the rest of the ten seconds that a stop may take is for others.
    private static let secondsToEnd: UInt64 = 1
    /// Where the first commit ends when it was begun by a process that is gone.
    private var begun: LogPositions?
    /// What the store has committed, as it was when this was last known.
    private(set) var committed: (positions: LogPositions, totals: StoreTotals)

    init(store: any Store, data: DataPaths, configuration: FollowerConfiguration) {
        self.store = store
        self.configuration = configuration
        self.data = data
        readers = Dictionary(
            uniqueKeysWithValues: LogKind.followed.map { ($0, LogReader(directory: data.log($0), log: $0)) })
        committed = (store.positions, store.totals)
        reached = store.positions
        sealed = store.positions
        begun = store.pending
    }

    /// Loads what there is, up to one commit's worth; after a failure it goes on where that was.
    func load() throws -> Load {
        if tombstones == nil { tombstones = try EraseFolder(data).tombstones() }
        try quarantine()
        for log in LogKind.followed {
            while begun != nil || store.gathered < configuration.batchRows, !isOver, try readChunk(of: log) {
                take(chunk, of: log)
                reached[log] = chunk.end
                try quarantine()
            }
        }
        let hasCommitted = try finishCommit()
        // What is gathered comes again after the next start.
        if isOver { return .full }
        guard reached != sealed else { return hasCommitted ? .rest : .nothing }
        let isFull = begun != nil || store.gathered >= configuration.batchRows
        store.seal()
        sealed = reached
        begun = nil
        if isFull {
            try beginCommit()
            return .full
        }
        try finishCommit()
        return .rest
    }

    /// Waits for the commit that is under way, and makes up for one that failed.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    private func finishCommit() throws -> Bool {
        let wasCommitting = isCommitting
        if isCommitting {
            isCommitting = false
            try side?.wait()
            committed = (store.positions, store.totals)
        }
        guard sealed != committed.positions else { return wasCommitting }
        try store.commit(upTo: sealed)
        committed = (store.positions, store.totals)
        return true
    }

    private func beginCommit() throws {
        let side = try self.side ?? SideThread(name: "follower's commits")
        self.side = side
        isCommitting = true
        side.begin { [store, sealed] in try store.commit(upTo: sealed) }
    }

    /// Waits for the commit that is under way, and gives up what is not committed.
    ///
    /// - Throws: what that commit failed with.
    func leave() throws {
        guard isCommitting else { return }
        isCommitting = false
        try side?.wait()
    }

    /// The process ends: reading goes on for a second, and a commit a little longer. Called from any thread.
    func endSoon() {
        guard end.load(ordering: .relaxed) == .max else { return }
        end.store(SystemClock.monotonic + Self.secondsToEnd * 1_000_000_000, ordering: .relaxed)
        store.endSoon()
    }

    var isOver: Bool { SystemClock.monotonic >= end.load(ordering: .relaxed) }

    /// Does a little of what may wait. After a ``load()`` that found nothing.
    ///
    /// - Returns: whether there is more of it.
    func tidy() throws -> Bool {
        try store.tidy()
    }

    /// Does all of what may wait. After a ``load()`` that came to the end.
    func finish(_ isOver: () -> Bool) throws {
        try store.finish(isOver)
    }

    func rest() throws {
        try store.rest()
    }

    /// Removes a little of what is of old days. After a ``load()``.
    ///
    /// - Returns: the number of plays removed; nil when there is nothing left to remove.
    /// - Throws: what it failed with, or the commit under way.
    func prune(before day: Int64) throws -> Int64? {
        try finishCommit()
        guard !isOver else { return 0 }
        let removed = try store.pruneSome(before: day)
        committed.totals = store.totals
        return removed
    }

    /// What the store's file has of room, once the commit under way is done.
    func freeBytes() throws -> Int64? {
        try finishCommit()
        return try store.freeBytes()
    }

    /// Runs work on the store between two commits, when nothing is gathered.
    ///
    /// - Parameter work: gives the tombstones by which lines are read from then on; nil: as before.
    /// - Throws: ``FollowerIsBusy`` after a failure that comes first; what `work` throws.
    func apart(_ work: (any Store) throws -> Tombstones?) throws {
        try finishCommit()
        while begun != nil, try load() != .nothing {}
        // The last of them may have left its commit to the other thread.
        try finishCommit()
        guard begun == nil, store.gathered == 0, unloadable.isEmpty, reached == sealed else { throw FollowerIsBusy() }
        defer { committed = (store.positions, store.totals) }
        tombstones = try work(store) ?? tombstones
    }

    /// What is wrong with the store's files, once the commit under way is done.
    ///
    /// - Throws: what that commit failed with.
    func damage() throws -> String? {
        try finishCommit()
        return store.damage()
    }

    /// - Returns: false when there is nothing more for now.
    private func readChunk(of log: LogKind) throws -> Bool {
        let durable = configuration.durableEnd?(log)
        let end = [durable, begun?[log]].compactMap { $0 }.min()
        guard let reader = readers[log] else { return false }
        return try reader.read(
            after: reached[log], upTo: end, maxBytes: configuration.chunkBytes, into: &chunk)
    }

    private func take(_ chunk: LogChunk, of log: LogKind) {
        for damage in chunk.damage { configuration.onNotice(.damaged(damage)) }
        switch log {
        case .plays: takePlays(chunk)
        case .rejected: takeRejections(chunk)
        case .reports: preconditionFailure("no store follows the reports")
        }
    }

    private func takePlays(_ chunk: LogChunk) {
        lines.removeAll(keepingCapacity: true)
        // The line of the chunk that each entry was.
        var numbers: [Int] = []
        var unreadable = 0
        chunk.forEachLine { number, line in
            do throws(LineError) {
                try lines.append(line: line)
                numbers.append(number)
            } catch {
                unreadable += 1
                setAside(Array(line), chunk, number, "\(error.reason) (byte \(error.offset))")
            }
        }
        if let tombstones { lines.erase(tombstones) }
        for index in store.gather(lines, unloadable: unreadable) {
            let line = Array(lines[lines.entries[index].line])
            setAside(line, chunk, numbers[index], "It has a value that no event can have.")
        }
    }

    private func setAside(_ line: [UInt8], _ chunk: LogChunk, _ number: Int, _ reason: String) {
        unloadable.append(UnloadableLine(line: line, position: chunk.start, number: number, reason: reason))
    }

    private func quarantine() throws {
        while let line = unloadable.first {
            try configuration.quarantine?(line)
            configuration.onNotice(.unloadable(line))
            unloadable.removeFirst()
        }
    }

    private func takeRejections(_ chunk: LogChunk) {
        var tally = RejectionTally()
        tally.add(quarantine: chunk)
        if !tally.isEmpty { store.gather(tally) }
    }
}

/// A line of the plays' log that no store can take.
package struct UnloadableLine: Sendable, Equatable {
    /// Its code in the quarantine. It is none of the contract's: no client sent a bad event.
    package static let code = "unloadable"

    /// The line, without its LF.
    package var line: [UInt8]
    /// Where the chunk begins that held it, and which line of the chunk it was, from 0.
    package var position: LogPosition
    package var number: Int
    /// What is wrong with it.
    package var reason: String

    /// The line as the quarantine keeps it, under the place where it was found.
    ///
    /// - Parameter now: ms since 1970.
    package func quarantined(now: Int64) -> QuarantineLine {
        QuarantineLine(
            receivedAt: now,
            requestId: Identifier128(
                high: UInt64(bitPattern: position.segment), low: UInt64(bitPattern: position.offset)),
            index: Int64(number), code: Self.code, field: "", raw: line)
    }
}
