internal import Archive
internal import CommandLineTool
internal import Ingest
internal import Platform
internal import PlayStore

/// `qoe prune`: old days out of the store, and of the archive when told so.
enum PruneCommand {
    static let command = Command(
        "prune",
        summary: "removes the plays of old days from the database, old files from the archive, and old reports",
        options: [
            CommonOptions.data, CommonOptions.store,
            Option(
                "keep-days", "N",
                help: "How many whole UTC days before today stay, 1 to 36500. Today stays in any case."),
            Option(
                "archive",
                help: "Removes the archive's and the quarantine's files of older days of receipt, too. A file that the "
                    + "database has not read stays."),
            Option(
                "reports", "DAYS", initial: "7",
                help:
                    "For how many whole UTC days players' reports stay, 0 to 36500. A file of which reports may still be "
                    + "needed stays."),
        ],
        notes: """
            What was pruned from the database alone comes back with qoe rebuild; what was pruned from the archive is
            gone. Players' reports go after a week unless --reports says otherwise: they are a log of viewing by the second,
            and only qoe fold needs them once their plays have closed. The files go first, so that on a full disk there is room for the rest. The room that old plays took is used for new ones. A server may not run on the same data directory
            meanwhile.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        guard let days = try arguments.int("keep-days", in: 1...36_500) else {
            throw CommandError(.usage, "prune needs --keep-days N, the days that stay (see qoe prune --help)")
        }
        let paths = CommonOptions.data(arguments)
        try ExistingData.check(paths)
        let today = UTCDay(holding: WallClock.now()).number
        let first = UTCDay(number: today - Int64(days))
        let reports = UTCDay(number: today - Int64(try arguments.int("reports", in: 0...36_500) ?? 7))
        let store = try CommonOptions.store(arguments)
        let removed = try CommandFailure.translated {
            try DataPruner.prune(
                paths.root, store: store, before: first, archiveToo: arguments.flag("archive"), reportsBefore: reports,
                onNotice: DataNotices().following.onNotice)
        }
        var text = "removed \(Counted(removed.plays, "play")) of days before \(first)"
        if arguments.flag("archive") {
            text += ", \(Counted(removed.archive.files, "file")) (\(removed.archive.bytes) bytes) of the archive"
            text += ", \(Counted(removed.quarantine.files, "file")) (\(removed.quarantine.bytes) bytes)"
            text += " of the quarantine"
        }
        if removed.reports.files > 0 {
            text += ", \(Counted(removed.reports.files, "file")) (\(removed.reports.bytes) bytes) of players' reports"
        }
        try StandardOutput.write("\(text)\n")
        guard let fault = removed.databaseFault else { return .success }
        StandardError.write(
            "qoe: the database keeps the plays of those days for now (\(fault)): make room, then run prune once more")
        return .inputOutput
    }
}
