internal import CommandLineTool
internal import Foundation

/// `qoe-benchmarks years`: what reports cost in a store that has been filled for long, by the shape of its sessions.
enum YearsBenchmark {
    static let command = Command(
        "years",
        summary:
            "fills a store with days of plays, and measures reports, one day, the page and an export beside DuckDB",
        options: IngestBenchmark.toolOptions + [
            Option("days", "N", initial: "100", help: "How many."),
            Option("plays-per-day", "N", initial: "1000000", help: "How many plays each has."),
            Option("sessions", "N", initial: "8", help: "How many plays share a session in the mean."),
            Option("rounds", "N", initial: "5", help: "Rounds, of which the median counts."),
            Option("keep", "DIR", help: "Makes the store there, or measures the one that is there."),
        ])

    /// How many plays share a session: a player that is opened for one clip, a feed, a long evening.
    static let shapes = [1, 8, 16]

    static func run(_ arguments: Arguments) throws -> ExitCode {
        var table = ResultTable()
        try measure(
            days: try arguments.int("days", in: 1...10_000) ?? 100,
            playsPerDay: try arguments.int("plays-per-day", in: 50...100_000_000) ?? 1_000_000,
            sessionPlays: try arguments.int("sessions", in: 1...200) ?? 8,
            rounds: try arguments.int("rounds", in: 1...100) ?? 5, IngestBenchmark.tools(arguments),
            keep: arguments.text("keep"), into: &table)
        print(table.markdown)
        return .success
    }

    /// - Parameter keep: a folder that stays; nil: one that goes.
    static func measure(
        days: Int, playsPerDay: Int, sessionPlays: Int, rounds: Int, _ tools: PeerTools, keep: String? = nil,
        into table: inout ResultTable
    ) throws {
        let temporary = keep == nil ? try WorkFolder(in: tools.workFolder) : nil
        let data = keep ?? temporary?.path ?? ""
        let name = "\(figure(Double(days * playsPerDay))) plays, sessions of \(sessionPlays)"
        if !FileManager.default.fileExists(atPath: data + "/archive") {
            let store = GrowingStore(in: data, sessionPlays: sessionPlays, playsPerDay: playsPerDay)
            let step = try store.grow(to: days * playsPerDay)
            table.add("loading, \(name)", "\(figure(Double(step.plays) / step.seconds)) plays/s with columns")
            let bytes = Double(try store.databaseBytes) / Double(step.plays)
            table.add(
                "database, \(name)", "\(figure(bytes)) bytes a play", bytes, atMost: sessionPlays == 1 ? 150 : 130,
                sessionPlays == 1 ? "≤ 150" : "≤ 130")
        }
        try ReportYears(data: data, tools: tools, rounds: rounds, isLong: days * playsPerDay > 20_000_000)
            .measure(name, sessionPlays: sessionPlays, into: &table)
    }
}
