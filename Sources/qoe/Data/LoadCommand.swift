internal import Archive
internal import CommandLineTool
internal import Ingest
internal import Platform
internal import PlaybackEvents
internal import PlayStore

/// `qoe load`: request bodies and archives from files.
enum LoadCommand {
    static let command = Command(
        "load",
        summary: "loads request bodies, through the same judgement as the endpoint, and archives of other servers",
        operands: "FILE…|-",
        options: [
            CommonOptions.data, CommonOptions.store, CommonOptions.node,
            Option(
                "received-at", "TIME",
                help:
                    "When bodies by themselves were received: RFC 3339, or ms since 1970. Without it, when their file "
                    + "was last modified, or now for a pipe."),
            Option(
                "any-time",
                help: "Takes receipts before 2000 and after tomorrow, too, which are mistakes as a rule."),
        ],
        notes: """
            A file, plain or gzip, is one request body, or one a line; - is standard input. A line {"receivedAt": MS,
            "body": {…}, "regionHeader": "…"} names its own time of receipt and trusted region header; a line {"receivedAt":
            MS, "cmcd": "BODY", "query": "…"} is what a player reported to /v1/cmcd, and the query of the address. Lines of
            reports stand in the order of their receipt; at the end all of their plays are closed. A file of a server's
            archive or quarantine, of this directory or of another, is taken as it is: each line that is not here yet, under
            its own request and time. Such files that are named one after another are merged by the time of receipt. The
            command returns when the database holds all of it. A server may not run on the same data directory meanwhile.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else {
            throw CommandError(.usage, "load needs at least one file (see qoe load --help)")
        }
        let takesAnyTime = arguments.flag("any-time")
        func times() -> ClosedRange<Int64> {
            takesAnyTime ? Importer.anyTime : Importer.believedTimes(now: WallClock.now())
        }
        let receivedAt = try time(arguments, in: times())
        let notices = DataNotices()
        let store = try CommonOptions.store(arguments)
        var committing = notices.committing
        committing.node = try CommonOptions.node(arguments)
        let keeper = try CommandFailure.translated {
            try DataKeeper(
                CommonOptions.data(arguments).root, store: store, committing: committing,
                following: notices.following, folding: notices.folding, now: WallClock.now)
        }
        defer { keeper.stop() }
        let before = keeper.follower.status.totals
        let loading = FileLoading(keeper, receivedAt: receivedAt, times: times)
        for path in arguments.operands { try loading.take(path) }
        try loading.finish()
        let counts = loading.counts
        var bar = ProgressBar("loading", unit: "plays")
        try CommandFailure.translated {
            if counts.reports > 0 { try keeper.folder.foldToEnd(closing: true) }
            try keeper.follower.followToEnd { status in
                bar.update(done: Int(status.totals.arrivals - before.arrivals), of: counts.accepted)
            }
        }
        bar.finish()
        let after = keeper.follower.status.totals
        var text =
            "\(Counted(counts.requests, "request")) with \(Counted(counts.accepted + counts.rejected, "event")): "
            + plays(before, after, isExact: !store.isShared) + ", \(counts.rejected) rejected"
        if counts.reports + counts.badReports > 0 {
            text += ", \(Counted(counts.reports, "report")) of players, \(counts.badReports) lines that are none"
        }
        if counts.known > 0 { text += ", \(Counted(counts.known, "line")) of archives that are here already" }
        if counts.erased > 0 { text += ", \(counts.erased) of those who were erased, not kept" }
        if counts.faults > 0 { text += "; \(Counted(counts.faults, "request")) not taken" }
        try StandardOutput.write(text + "\n")
        return loading.worst == .success && notices.foundDamage ? .badData : loading.worst
    }

    /// - Parameter isExact: whether the store tells a new play from a repeat as it takes it.
    private static func plays(_ before: StoreTotals, _ after: StoreTotals, isExact: Bool) -> String {
        guard isExact else { return "\(Counted(after.arrivals - before.arrivals, "play")), new ones and repeats" }
        return "\(Counted(after.loaded - before.loaded, "new play")), "
            + "\(Counted(after.duplicates - before.duplicates, "repeat"))"
    }

    /// - Throws: `usage` for what is no time, or none at which a request can have been received.
    private static func time(
        _ arguments: Arguments, in times: ClosedRange<Int64>
    ) throws(CommandError) -> Int64? {
        guard let text = arguments.text("received-at") else { return nil }
        guard let time = Int64(text) ?? Timestamp.milliseconds(text), ImportLine.times.contains(time) else {
            throw arguments.fault(
                "received-at", "should be a time such as 2026-11-29T18:00:00Z, or ms since 1970, up to the year 9999")
        }
        guard times.contains(time) else {
            throw arguments.fault("received-at", "should lie between 2000 and tomorrow, unless --any-time is said")
        }
        return time
    }
}

/// The files of one command, in their order; those of archives that stand one after another are taken together.
private final class FileLoading {
    private let keeper: DataKeeper
    private let receivedAt: Int64?
    private let times: () -> ClosedRange<Int64>
    private var archives: [ArchiveFile] = []
    private(set) var counts = Importer.Counts()
    private(set) var worst = ExitCode.success

    init(_ keeper: DataKeeper, receivedAt: Int64?, times: @escaping () -> ClosedRange<Int64>) {
        self.keeper = keeper
        self.receivedAt = receivedAt
        self.times = times
    }

    func take(_ path: String) throws {
        do {
            let source = try ImportSource(path: path)
            if let archive = ArchiveFile(source) {
                archives.append(archive)
            } else {
                try finish()
                try load(source)
            }
        } catch let fault as ImportError {
            tell(path, fault)
        }
    }

    private func load(_ source: ImportSource) throws {
        let importer = Importer(
            committer: keeper.committer, receivedAt: receivedAt, times: self.times(),
            tombstones: keeper.erased.tombstones, now: WallClock.now,
            onFault: { [self] in tell(source.path, $0, $1) })
        defer { counts += importer.counts }
        try reading { try importer.load(source, progress: $0) }
    }

    /// Loads the archives that wait for others beside them.
    func finish() throws {
        if archives.isEmpty { return }
        let importer = ArchiveImporter(
            paths: keeper.paths, committer: keeper.committer, tombstones: keeper.erased.tombstones, times: self.times(),
            onFault: tell, onStop: tell)
        try reading { try importer.load(archives, progress: $0) }
        counts += importer.counts
        archives = []
    }

    private func reading(_ body: ((Int, Int) -> Void) throws -> Void) throws {
        var bar = ProgressBar("reading", unit: "bytes")
        defer { bar.finish() }
        try CommandFailure.translated { try body { done, all in bar.update(done: done, of: all) } }
    }

    private func tell(_ path: String, _ line: Int?, _ reason: String) {
        let name = path == "-" ? "standard input" : path
        StandardError.write("qoe: \(name)\(line.map { ":\($0)" } ?? ""): \(reason)")
        worst = .badData
    }

    private func tell(_ path: String, _ fault: ImportError) {
        tell(path, nil, fault.description)
        worst = fault.isUnreadable ? .noInput : .badData
    }
}
