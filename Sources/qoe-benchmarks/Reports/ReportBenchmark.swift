internal import Archive
internal import CommandLineTool
internal import Foundation

/// `qoe-benchmarks report`: loading many plays, and reports on them.
enum ReportBenchmark {
    static let command = Command(
        "report", summary: "loads plays into the embedded database, and sets reports on them against other engines",
        options: IngestBenchmark.toolOptions + [
            Option("plays", "N", initial: "10000000", help: "How many; a million a day."),
            Option("rounds", "N", initial: "3", help: "Rounds, of which the median counts."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        var table = ResultTable()
        try measure(
            plays: try arguments.int("plays", in: 50...1_000_000_000) ?? 10_000_000,
            rounds: try arguments.int("rounds", in: 1...100) ?? 3, IngestBenchmark.tools(arguments), into: &table)
        print(table.markdown)
        return .success
    }

    static func measure(plays: Int, rounds: Int, _ tools: PeerTools, into table: inout ResultTable) throws {
        let folder = try WorkFolder(in: tools.workFolder)
        try FollowPath.measure(in: folder.path, plays: plays, into: &table)
        let reports = ReportRounds(data: folder.path, plays: plays, tools: tools)
        try reports.measure(rounds: rounds, into: &table)
        try reports.measureStart(rounds: rounds, into: &table)
        if tools.python != nil { try reports.measurePeers(into: &table) }
    }
}
