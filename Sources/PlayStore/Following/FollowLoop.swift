package import Archive
internal import Platform
package import PlaybackEvents

/// Brings lines from the logs into a store, commit by commit.
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

    private let pipeline: any CommitPipeline
    private let configuration: FollowerConfiguration
    private let data: DataPaths
    /// Whose plays were erased; nil before they were looked up.
    private var tombstones: Tombstones?
    private let readers: [LogKind: LogReader]
    // Reused from chunk to chunk: new memory of that size costs as much as a tenth of loading what it holds.
    private var chunk = LogChunk(start: .beginning)
    private var lines = LoggedPlays()
    /// Lines that still have to go to the quarantine before the next commit.
    private var unloadable: [UnloadableLine] = []

    /// Up to where lines have been gathered.
    private var reached: LogPositions
    /// From then on nothing more is read.
    private let deadline: Deadline
    /// Where the first commit ends when it was begun by a process that is gone.
    private var begun: LogPositions?

    /// - Parameter deadline: nothing more is read after it.
    init(store: sending any Store, data: DataPaths, configuration: FollowerConfiguration, deadline: Deadline) {
        self.configuration = configuration
        self.data = data
        self.deadline = deadline
        readers = Dictionary(
            uniqueKeysWithValues: LogKind.followed.map { ($0, LogReader(directory: data.log($0), log: $0)) })
        reached = store.positions
        begun = store.pending
        pipeline = makePipeline(store)
    }

    /// What the store has committed, as it was when this was last known.
    var committed: (positions: LogPositions, totals: StoreTotals) { pipeline.committed }

    /// Loads what there is, up to one commit's worth; after a failure it goes on where that was.
    func load() throws -> Load {
        if tombstones == nil { tombstones = try EraseFolder(data).tombstones() }
        try quarantine()
        for log in LogKind.followed {
            while begun != nil || pipeline.gathered < configuration.batchRows, !isOver, try readChunk(of: log) {
                try take(chunk, of: log)
                reached[log] = chunk.end
                try quarantine()
            }
        }
        let hasCommitted = try pipeline.finishCommit()
        // What is gathered comes again after the next start.
        if isOver { return .full }
        guard reached != pipeline.sealed else { return hasCommitted ? .rest : .nothing }
        let isFull = begun != nil || pipeline.gathered >= configuration.batchRows
        try pipeline.seal(upTo: reached)
        begun = nil
        if isFull {
            try pipeline.beginCommit()
            return .full
        }
        try pipeline.finishCommit()
        return .rest
    }

    /// Waits for the commit that is under way, and gives up what is not committed.
    ///
    /// - Throws: what that commit failed with.
    func leave() throws {
        try pipeline.leave()
    }

    var isOver: Bool { deadline.hasPassed }

    /// Does a little of what may wait. After a ``load()`` that found nothing.
    ///
    /// - Returns: whether there is more of it.
    func tidy() throws -> Bool {
        try pipeline.withStore { try $0.tidy() }
    }

    /// Does all of what may wait. After a ``load()`` that came to the end.
    func finish(_ isOver: @Sendable () -> Bool) throws {
        try pipeline.withStore { try $0.finish(isOver) }
    }

    func rest() throws {
        try pipeline.withStore { try $0.rest() }
    }

    /// Removes a little of what is of old days. After a ``load()``.
    ///
    /// - Returns: the number of plays removed; nil when there is nothing left to remove.
    /// - Throws: what it failed with, or the commit under way.
    func prune(before day: Int64) throws -> Int64? {
        try pipeline.finishCommit()
        guard !isOver else { return 0 }
        return try pipeline.withStore { try $0.pruneSome(before: day) }
    }

    /// What the store's file has of room, once the commit under way is done.
    func freeBytes() throws -> Int64? {
        try pipeline.finishCommit()
        return try pipeline.withStore { try $0.freeBytes() }
    }

    /// Runs work on the store between two commits, when nothing is gathered.
    ///
    /// - Parameter work: may give the tombstones by which lines are read from then on; nil: as before.
    /// - Throws: ``FollowerIsBusy`` after a failure that comes first; what `work` throws.
    func apart<Value: Sendable>(_ work: Follower.Work<Value>) throws -> Value {
        try pipeline.finishCommit()
        while begun != nil, try load() != .nothing {}
        // The last of them may have left its commit to the other thread.
        try pipeline.finishCommit()
        guard begun == nil, pipeline.gathered == 0, unloadable.isEmpty, reached == pipeline.sealed else {
            throw FollowerIsBusy()
        }
        let done = try pipeline.withStore(work)
        tombstones = done.tombstones ?? tombstones
        return done.value
    }

    /// What is wrong with the store's files, once the commit under way is done.
    ///
    /// - Throws: what that commit failed with.
    func damage() throws -> String? {
        try pipeline.finishCommit()
        return try pipeline.withStore { $0.damage() }
    }

    /// - Returns: false when there is nothing more for now.
    private func readChunk(of log: LogKind) throws -> Bool {
        let durable = configuration.durableEnd?(log)
        let end = [durable, begun?[log]].compactMap { $0 }.min()
        guard let reader = readers[log] else { return false }
        return try reader.read(
            after: reached[log], upTo: end, maxBytes: configuration.chunkBytes, into: &chunk)
    }

    private func take(_ chunk: LogChunk, of log: LogKind) throws {
        for damage in chunk.damage { configuration.onNotice(.damaged(damage)) }
        switch log {
        case .plays: try takePlays(chunk)
        case .rejected: try takeRejections(chunk)
        case .reports: preconditionFailure("no store follows the reports")
        }
    }

    private func takePlays(_ chunk: LogChunk) throws {
        lines.removeAll(keepingCapacity: true)
        // The line of the chunk that each entry was.
        var numbers: [Int] = []
        var refused: [UnloadableLine] = []
        func setAside(_ line: [UInt8], _ number: Int, _ reason: String) {
            refused.append(UnloadableLine(line: line, position: chunk.start, number: number, reason: reason))
        }
        chunk.forEachLine { number, line in
            do throws(LineError) {
                try lines.append(line: line)
                numbers.append(number)
            } catch {
                setAside([UInt8](line), number, "\(error.reason) (byte \(error.offset))")
            }
        }
        if let tombstones { lines.erase(tombstones) }
        for index in try pipeline.gather(lines, unloadable: refused.count) {
            setAside(
                Array(lines[lines.entries[index].line]), numbers[index], "It has a value that no event can have.")
        }
        unloadable += refused
    }

    private func quarantine() throws {
        while let line = unloadable.first {
            try configuration.quarantine?(line)
            configuration.onNotice(.unloadable(line))
            unloadable.removeFirst()
        }
    }

    private func takeRejections(_ chunk: LogChunk) throws {
        var tally = RejectionTally()
        tally.add(quarantine: chunk)
        if !tally.isEmpty { try pipeline.gather(tally) }
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
