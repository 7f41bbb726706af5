package import Archive
internal import Foundation
internal import PlayFolding
package import PlayStore
package import PlaybackEvents

/// Erases somebody's plays from a data directory: from the logs, the store, and what lies beside them.
///
/// Each step is durable before the next, and may be done again. Somebody's tombstone comes first, so that nothing of them is
/// taken any more; then new files are made beside those that they are in; then the store loses their rows; then the new files
/// take the places of the old ones. Killed before the store's turn, a start does all of it again; after it, what is left.
package struct DataEraser {
    private let keeper: DataKeeper
    private let folder: EraseFolder
    private let logs: LogEraser
    private let beforeReplacing: () throws -> Void
    private var paths: DataPaths { keeper.paths }

    /// Requests under way when somebody is to be erased have ended by then: a whole one may take 20 s, and its answer as long.
    private static let patienceMs = 60_000
    /// Events that can't be judged are named one by one up to so many.
    private static let mostNamed = 20

    /// - Parameter beforeReplacing: called when the store has lost the rows, and the files still have the lines.
    package init(_ keeper: DataKeeper, beforeReplacing: @escaping () throws -> Void = {}) {
        self.keeper = keeper
        self.beforeReplacing = beforeReplacing
        folder = EraseFolder(keeper.paths)
        logs = LogEraser(keeper.paths)
    }

    // MARK: At a start

    /// Finishes what a process had begun that was killed then. Before the follower is started.
    ///
    /// - Parameter leavesBegun: does so only with those of which the store may have lost the rows.
    func finish(leavesBegun: Bool) throws {
        try folder.tidy(now: keeper.now())
        let plans = try folder.ids(.plan)
        if plans.isEmpty { try logs.removeMade() }
        let begun = try leavesBegun ? plans : plans + folder.ids(.position)
        for request in try folder.requests() where begun.contains(request.id) {
            do {
                _ = try run(request)
            } catch let error as any TransientError where error.isTransient && keeper.isStoreShared {
                // A shared store that is away keeps no server from taking plays in: the request waits, and so do others.
                break
            }
        }
        // All was done but the answer.
        for id in plans where try folder.text(id, .request) == nil {
            if let plan = try folder.text(id, .plan).flatMap({ ErasePlan($0) }) { try answer(id, plan.report) }
        }
    }

    /// Removes what names somebody, and then says that it is done.
    private func answer(_ id: String, _ report: String) throws {
        // The request first: a start that finds none has only to answer.
        for part in [EraseFolder.Part.request, .position, .lines, .rows] { try folder.remove(id, part) }
        try folder.write(report, id, .done)
        try folder.remove(id, .plan)
    }

    // MARK: Erasing

    /// Carries a request out.
    ///
    /// - Parameter isOver: asked now and then whether to leave it for later; never once the store has been touched.
    /// - Returns: what whoever asked should read; it also stands beside the request, which is gone.
    /// - Throws: what kept it from being done; asked again, it goes on.
    @discardableResult
    package func run(_ request: EraseFolder.Request, isOver: @escaping () -> Bool = { false }) throws -> String {
        // A command without a server has not left one yet.
        if try folder.text(request.id, .request) == nil { try folder.add(request) }
        let end = try begin(request)
        // Whoever compacts a file meanwhile would put back what is taken out of it here.
        let plan = try keeper.directory.changingClosedFiles { try carryOut(request, end, isOver) }
        try answer(request.id, plan.report)
        return plan.report
    }

    private func carryOut(
        _ request: EraseFolder.Request, _ end: LogPosition, _ isOver: @escaping () -> Bool
    ) throws -> ErasePlan {
        var plan = try folder.text(request.id, .plan).flatMap { ErasePlan($0) }
        if plan == nil {
            guard keeper.erased.waitForEarlier(milliseconds: Self.patienceMs) else { throw EraseError.requestsUnderWay }
            guard try folder.ids(.plan).isEmpty else { throw EraseError.anotherUnderWay }
            do {
                plan = try prepare(request, end, isOver)
            } catch {
                try? logs.removeMade()
                throw error
            }
        }
        guard var plan else { throw EraseError.stopped }
        let lines = ErasedLines(path: folder.path(request.id, .lines))
        let plays = try lines.count()
        let rows = try erase(request, plan, lines)
        try beforeReplacing()
        for file in plan.files { try logs.replace(file.name) }
        NextDatabase.remove(paths)
        let damaged = try logs.removeDamaged(of: Set(plan.files.map(\.name.day)))
        plan.done = ErasePlan.Done(rows: rows, plays: plays, damaged: damaged)
        try folder.write(plan.text, request.id, .plan)
        return plan
    }

    /// Sees to it that nothing of the target is taken from now on.
    ///
    /// - Returns: up to where the store has read the archive without knowing of it.
    private func begin(_ request: EraseFolder.Request) throws -> LogPosition {
        let (tombstones, end) = try keeper.follower.apart { [folder] store in
            var tombstones = try folder.tombstones()
            if try !tombstones.contains(request.target) || folder.text(request.id, .position) == nil {
                // Before the tombstone: while that isn't there, the place is noted anew.
                try folder.write(ErasePlan.text(of: store.positions.plays), request.id, .position)
                tombstones = try folder.add(request.target)
            }
            let noted = try folder.text(request.id, .position).flatMap { ErasePlan.position($0) }
            return ((tombstones, noted ?? store.positions.plays), tombstones)
        }
        keeper.erased.replace(with: tombstones)
        return end
    }

    /// Makes the files that are to take the place of others, and lists what the store has to know.
    private func prepare(
        _ request: EraseFolder.Request, _ end: LogPosition, _ isOver: @escaping () -> Bool
    ) throws -> ErasePlan {
        try logs.removeMade()
        // What comes after these ends is taken by the tombstones; and none of their files grows any more.
        let ends = Dictionary(uniqueKeysWithValues: LogKind.allCases.map { ($0, keeper.committer.end(of: $0)) })
        try keeper.committer.closeFiles()
        let followed = keeper.follower.status.positions
        var positions: [LogKind: Set<LogPosition>] = [.plays: [followed.plays, end], .rejected: [followed.rejected]]
        if let fold = try FoldPositions.read(paths) {
            positions[.reports] = [fold.from, fold.written]
            positions[.plays]?.insert(fold.archive)
        }
        let logs = LogEraser(paths, positions: positions)
        let list = try ErasedLines.Writer(path: folder.path(request.id, .lines))
        let erasure = LineErasure(request.target, list: list)
        var plan = ErasePlan()
        plan.end = end
        for kind in LogKind.allCases {
            let segments = try SegmentList(
                directory: paths.log(kind), kind: kind, manifest: keeper.directory.manifest.manifest
            ).segments
            for name in segments where name.sequence <= ends[kind]?.segment ?? 0 {
                guard let made = try make(name, logs, erasure, isOver) else { continue }
                if made.changed > 0 { plan.files.append(.init(name: name, changed: made.changed)) }
                plan.notes += made.damage.map { "\($0): can't be read, so it stays as it is" } + made.notes
            }
        }
        try list.close()
        try folder.syncLines(request.id)
        plan.notes += Self.notes(of: erasure, request.target, paths)
        return plan
    }

    private func make(
        _ name: SegmentName, _ logs: LogEraser, _ erasure: LineErasure, _ isOver: () -> Bool
    ) throws -> LogEraser.Made? {
        do {
            return try logs.make(name) { member in
                if isOver() { throw EraseError.stopped }
                return try erasure.replaced(name.kind, member)
            }
        } catch let fault as FileError where fault.isMissing {
            // Pruned meanwhile.
            return nil
        }
    }

    /// Lets the store lose the rows, on the follower's thread.
    private func erase(_ request: EraseFolder.Request, _ plan: ErasePlan, _ lines: ErasedLines) throws -> Int64 {
        // What a try that was killed has left of it names somebody.
        try folder.remove(request.id, .rows)
        return try keeper.follower.apart { [folder] store in
            let erasure = StoreErasure(
                id: request.id, request.target, lines, rows: folder.path(request.id, .rows), end: plan.end,
                marks: plan.marks
            ) { marks in
                var plan = plan
                plan.marks = marks
                try folder.write(plan.text, request.id, .plan)
            }
            return (try store.erase(erasure), nil)
        }
    }

    // MARK: Words

    private static func notes(of erasure: LineErasure, _ target: ErasureTarget, _ paths: DataPaths) -> [String] {
        var notes = erasure.unjudged.prefix(mostNamed).map { event in
            "event \(event.index) of request \(event.requestId.hexadecimalText) in the quarantine: its session is not known, so"
                + " it stays"
        }
        if erasure.unjudged.count > mostNamed {
            notes.append("… and \(erasure.unjudged.count - mostNamed) more of them")
        }
        if target.kind == .play, erasure.hasFolded {
            notes.append(
                "the play was made of players' reports, which stay until they are pruned: erase its session to erase them"
            )
        }
        for name in ["archive.before", "qoe.sqlite.rebuilt", "qoe.sqlite.new"]
        where FileManager.default.fileExists(atPath: paths.root + "/" + name) {
            notes.append("\(name) is of before and stays as it is: remove it")
        }
        return notes
    }

    // MARK: Without changing anything

    /// What an erasure would do, beside whoever writes.
    ///
    /// - Complexity: reads all logs and the store.
    package static func count(_ target: ErasureTarget, in paths: DataPaths, store: any StoreChoice) throws -> String {
        let erasure = LineErasure(target, list: nil)
        var plan = ErasePlan()
        for kind in LogKind.allCases {
            let reader = LogReader(directory: paths.log(kind), log: kind)
            for name in try SegmentList(directory: paths.log(kind), kind: kind).segments {
                var changed = 0
                var position = LogPosition(segment: name.sequence, offset: 0)
                let end = LogPosition(segment: name.sequence + 1, offset: 0)
                while let chunk = try reader.next(after: position, upTo: end, maxBytes: 1) {
                    position = chunk.end
                    changed += try erasure.replaced(kind, .init(lines: chunk.lines, end: position))?.changed ?? 0
                }
                if changed > 0 { plan.files.append(.init(name: name, changed: changed)) }
            }
        }
        plan.notes = notes(of: erasure, target, paths)
        plan.done = ErasePlan.Done(rows: try store.countErasable(paths, target), plays: erasure.playLines, damaged: [])
        return "nothing was changed; without --dry-run:\n" + plan.report
    }
}

/// Why an erasure is not done yet.
package enum EraseError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Requests that began before it do not end.
    case requestsUnderWay
    /// The process ends.
    case stopped
    /// Somebody else is being erased, and that is not done.
    case anotherUnderWay

    package var description: String {
        switch self {
        case .requestsUnderWay: "requests that came before do not end: it is tried again"
        case .stopped: "the process ends: the next start goes on"
        case .anotherUnderWay: "somebody else is being erased: it is tried again"
        }
    }
}
