internal import Archive
internal import CommandLineTool
import Foundation
internal import PlayStore
internal import Reports

/// `qoe plays`: the plays behind a number, one by one.
enum PlaysCommand {
    static let command = Command(
        "plays", summary: "the plays behind a number: the worst, some at random, a session in order, or one",
        options: [CommonOptions.data, CommonOptions.store] + ScopeOptions.days + [
            ScopeOptions.filter,
            Option(
                "worst", "TROUBLE",
                help:
                    "The worst plays: startup, the slowest first; stalls, the longest stalled first; failed, the newest "
                    + "first. Without it some at random."),
            Option("session", "ID", help: "All plays of a session, in order of time; goes without days and filters."),
            Option("play", "ID", help: "One play by its identifier; goes without days and filters."),
            Option("limit", "N", help: "So many plays at the most; 50 when nothing is said, and all of a session."),
            Option("seed", "N", initial: "1", help: "Another number chooses other plays at random."),
            Option("format", "FORMAT", initial: "table", help: "One of table, csv, json."),
        ],
        notes: """
            A table says how many plays there are of which it shows some, such as 12 of 431. The same seed chooses the same
            plays. Columns of csv and json are those of the view plays; times are ms since 1970 there. An identifier that
            no play has ends the command with 1, and a line says what the store has.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let (choice, limit) = try choice(arguments)
        let request = try ScopeOptions.request(arguments)
        let format = arguments.text("format") ?? ""
        guard ["table", "csv", "json"].contains(format) else {
            throw arguments.fault("format", "should be one of table, csv, json")
        }
        let store = try CommonOptions.store(arguments)
        let list = try CommandFailure.translated {
            try ReportMaker(store: try store.reports(CommonOptions.data(arguments))).list(request, choice, limit: limit)
        }
        if choice.id != nil, let absence = list.absence { throw CommandError(.checkFailed, absence) }
        switch format {
        case "csv": try StandardOutput.write(list.csv())
        case "json": try StandardOutput.write(list.json())
        default:
            try StandardOutput.write(list.text())
            if let absence = list.absence { try StandardOutput.write(absence + "\n") }
        }
        return .success
    }

    private static func choice(_ arguments: Arguments) throws(CommandError) -> (PlayChoice, limit: Int?) {
        var words = PlayWords()
        words.worst = arguments.text("worst")
        words.session = arguments.text("session")
        words.play = arguments.text("play")
        words.limit = arguments.text("limit")
        words.seed = arguments.isSaid("seed") ? arguments.text("seed") : nil
        let scope = ["day", "from", "to", "last", "where"].filter { arguments.isSaid($0) }
        do {
            return (try words.choice(scope: scope), try words.limit(most: mostPlays))
        } catch {
            throw CommandError(.usage, error.description)
        }
    }

    private static let mostPlays = 100_000
}
