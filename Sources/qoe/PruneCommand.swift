internal import Archive
internal import CommandLineTool
internal import Ingest
internal import PlayStore

/// `qoe prune`: old days out of the store, and of the archive when told so.
enum PruneCommand {
    static let command = Command(
        "prune", summary: "removes the plays of old days from the database, and old files from the archive",
        options: [
            CommonOptions.data, CommonOptions.store,
            Option(
                "keep-days", "N",
                help: "How many whole UTC days before today stay, 1 to 36500. Today stays in any case."),
            Option(
                "archive",
                help: "Removes the archive's and the quarantine's files of older days of receipt, too. A file that the "
                    + "database has not read stays."),
        ],
        notes: """
            What was pruned from the database alone comes back with qoe rebuild; what was pruned from the archive is
            gone. The files go first, so that on a full disk there is room for the rest. The room that old plays took is used for new ones. A server may not run on the same data directory
            meanwhile.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        guard let days = try arguments.int("keep-days", in: 1...36_500) else {
            throw CommandError(.usage, "prune needs --keep-days N, the days that stay (see qoe prune --help)")
        }
        let paths = CommonOptions.data(arguments)
        try ExistingData.check(paths)
        let first = UTCDay(number: UTCDay(holding: WallClock.now()).number - Int64(days))
        let store = try CommonOptions.store(arguments)
        let removed = try CommandFailure.translated {
            try DataPruner.prune(
                paths.root, store: store, before: first, archiveToo: arguments.flag("archive"),
                onNotice: DataNotices().following.onNotice)
        }
        var text = "removed \(Counted(removed.plays, "play")) of days before \(first)"
        if arguments.flag("archive") {
            text += ", \(Counted(removed.archive.files, "file")) (\(removed.archive.bytes) bytes) of the archive"
            text += ", \(Counted(removed.quarantine.files, "file")) (\(removed.quarantine.bytes) bytes)"
            text += " of the quarantine"
        }
        try StandardOutput.write("\(text)\n")
        guard let fault = removed.databaseFault else { return .success }
        StandardError.write(
            "qoe: the database keeps the plays of those days for now (\(fault)): make room, then run prune once more")
        return .inputOutput
    }
}
