internal import Archive
internal import CommandLineTool
import Glibc
internal import Ingest
internal import PlayStore

/// `qoe rebuild`: the database anew from the archive.
enum RebuildCommand {
    static let command = Command(
        "rebuild", summary: "makes the database anew from the archive",
        options: [
            CommonOptions.data, CommonOptions.store, CommonOptions.node,
            Option(
                "without-missing",
                help: "Makes the database of the files that are there, though some are missing, and gives those up."),
            Option(
                "archive", "DIR",
                help: "A folder that qoe fold has made: it takes the archive's place first, and the old one is "
                    + "archive.before then."),
            Option(
                "beside",
                help: "Makes it beside a server that runs, as qoe.sqlite.next, which the next start of qoe serve puts "
                    + "in place."),
        ],
        notes: """
            Where files of the archive or the quarantine are missing, or are another server's, it names them, says how
            many plays the database has of them, changes nothing and ends with 65.
            The old database stays as it is until the new one is whole, with --beside until the server starts anew. In a ClickHouse store this server's rows are
            removed first, and reports lack them until it is done; --node, said here, names a server whose data directory is
            lost, to take its place. Reports are the same, byte for byte. What can't be read or loaded is named, and left out;
            then the exit code is 65.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let notices = DataNotices()
        let store = try CommonOptions.store(arguments)
        if arguments.flag("beside") {
            if store.isShared || arguments.flag("archive") {
                throw CommandError(.usage, "--beside goes with neither --store nor --archive")
            }
            return try build(CommonOptions.data(arguments), withoutMissing: arguments.flag("without-missing"), notices)
        }
        // Without the option it is the name that the server has had.
        let node = arguments.flag(CommonOptions.node.name) ? try CommonOptions.node(arguments) : nil
        let totals = try CommandFailure.translated {
            let paths = CommonOptions.data(arguments)
            try ExistingData.check(paths)
            if let archive = arguments.text("archive") {
                let directory = try DataDirectory(paths.root, remembered: store.remembered)
                try withExtendedLifetime(directory) {
                    try ArchiveCopy.replaceArchive(of: directory.paths, with: archive)
                }
            }
            let directory = try DataDirectory(paths.root, remembered: store.remembered)
            let inventory = try Inventory(directory.paths)
            if !arguments.flag("without-missing") { try refuse(inventory, store, directory.paths) }
            return try withExtendedLifetime(directory) {
                let totals = try loading(directory.paths) { progress in
                    try store.rebuild(
                        directory.paths, node: node, takesOver: arguments.isSaid(CommonOptions.node.name),
                        follower: notices.following, progress: progress)
                }
                // Only now: until there is a database without them they may come back.
                try directory.manifest.append(inventory.givingUp)
                return totals
            }
        }
        try StandardOutput.write(
            store.isShared
                ? "\(Counted(totals.arrivals, "play")), repeats included\n"
                : text(totals) + "\n")
        return notices.foundDamage ? .badData : .success
    }

    /// Needs nobody's lock, and changes nothing that is there.
    private static func build(_ paths: DataPaths, withoutMissing: Bool, _ notices: DataNotices) throws -> ExitCode {
        let totals = try CommandFailure.translated {
            try ExistingData.check(paths)
            if !withoutMissing { try refuse(Inventory(paths), EmbeddedChoice(), paths) }
            return try loading(paths) { progress in
                try NextDatabase.build(data: paths, follower: notices.following, progress: progress)
            }
        }
        try StandardOutput.write(
            "\(text(totals)): \(paths.nextDatabase) takes the place of \(paths.database) at the next start of qoe serve\n"
        )
        return notices.foundDamage ? .badData : .success
    }

    /// Shows how far a follower has come that begins at the beginning.
    private static func loading(
        _ paths: DataPaths, _ body: ((FollowerStatus) -> Void) throws -> StoreTotals
    ) throws -> StoreTotals {
        let archive = LogReader(directory: paths.archive)
        let total = try archive.bytes(after: .beginning)
        var bar = ProgressBar("loading", unit: "bytes")
        defer { bar.finish() }
        return try body { status in
            guard let left = try? archive.bytes(after: status.positions.plays) else { return }
            bar.update(done: Int(total - left), of: Int(total))
        }
    }

    private static func text(_ totals: StoreTotals) -> String {
        "\(Counted(totals.loaded, "play")), \(Counted(totals.duplicates, "repeat")) "
            + "(\(totals.conflicts) with other content)"
    }

    /// A database without the plays of files that are missing would replace one that has them.
    private static func refuse(_ inventory: Inventory, _ store: any StoreChoice, _ paths: DataPaths) throws {
        let obstacles = inventory.obstacles
        if obstacles.isEmpty { return }
        for obstacle in obstacles { StandardError.write("qoe: \(obstacle)") }
        var words = "nothing was changed"
        // A database that can't be read says nothing.
        if let plays = try? store.unarchivedPlays(paths) {
            words += ": the database has \(Counted(plays, "play")) that no file has"
        }
        throw CommandError(
            .badData,
            "\(words); put back what is missing, take away what is another server's, or say --without-missing")
    }
}
