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
        let tools = IngestBenchmark.tools(arguments)
        let folder = try WorkFolder(in: tools.workFolder)
        var table = ResultTable()
        let plays = try arguments.int("plays", in: 50...1_000_000_000) ?? 10_000_000
        try FollowPath.measure(in: folder.path, plays: plays, into: &table)
        let reports = ReportRounds(data: folder.path, plays: plays, tools: tools)
        try reports.measure(rounds: try arguments.int("rounds", in: 1...100) ?? 3, into: &table)
        if tools.python != nil { try reports.measurePeers(into: &table) }
        print(table.markdown)
        return .success
    }
}
