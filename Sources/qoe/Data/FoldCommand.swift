internal import Archive
internal import CommandLineTool
internal import Ingest

/// `qoe fold`: plays from players' reports anew.
enum FoldCommand {
    static let command = Command(
        "fold", summary: "makes the plays of players' reports anew, after a rule was mended",
        options: [
            CommonOptions.data,
            Option("again", help: "Says that plays which are archived already are to be made anew."),
            Option("into", "DIR", help: "Where the new archive goes: a folder that isn't there, or is empty."),
        ],
        notes: """
            It writes a new archive with all other lines as they are, and prints how many plays of reports there were,
            are, and have changed. The old archive stays as it is: qoe rebuild --archive DIR puts the new one into its
            place and makes the database of it. Plays whose reports are not all there any more are left as they are. A
            server may not run on the same data directory meanwhile.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        guard arguments.flag("again"), let into = arguments.text("into") else {
            throw CommandError(.usage, "fold needs --again and --into DIR (see qoe fold --help)")
        }
        let paths = CommonOptions.data(arguments)
        try ExistingData.check(paths)
        let counts = try CommandFailure.translated {
            let directory = try DataDirectory(paths.root)
            return try withExtendedLifetime(directory) {
                var bar = ProgressBar("copying", unit: "bytes")
                defer { bar.finish() }
                var fold = FoldAgain(directory.paths)
                return try fold.run(into: into) { done, total in bar.update(done: Int(done), of: Int(total)) }
            }
        }
        try StandardOutput.write(
            "\(Counted(counts.before, "play")) of reports before, \(counts.after) after, \(counts.changed) changed, "
                + "\(counts.left) left since their reports are not all there\n")
        return .success
    }
}
