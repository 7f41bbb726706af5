internal import Archive
internal import CommandLineTool
internal import Foundation

/// `qoe-benchmarks report`: loading many plays, and reports on them.
enum ReportBenchmark {
    static let growthOption = Option(
        "growth", "FACTOR", initial: "3",
        help: "To how many times as many plays the store grows in the end; 1: it does not.")

    static let command = Command(
        "report",
        summary: "loads plays into the embedded database, and sets reports on them against other engines",
        options: IngestBenchmark.toolOptions + [
            Option("plays", "N", initial: "10000000", help: "How many; a million a day."),
            growthOption,
            Option("rounds", "N", initial: "3", help: "Rounds, of which the median counts."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        var table = ResultTable()
        try measure(arguments, rounds: try arguments.int("rounds", in: 1...100) ?? 3, into: &table)
        print(table.markdown)
        return .success
    }

    /// A store that grows: to a tenth of the plays, to all of them, where most is measured, and beyond.
    static func measure(_ arguments: Arguments, rounds: Int, into table: inout ResultTable) throws {
        let plays = try arguments.int("plays", in: 50...1_000_000_000) ?? 10_000_000
        let growth = try arguments.int("growth", in: 1...100) ?? 3
        let tools = IngestBenchmark.tools(arguments)
        let folder = try WorkFolder(in: tools.workFolder)
        let store = GrowingStore(in: folder.path)
        let reports = ReportRounds(data: folder.path, tools: tools)
        var curve = ResultTable()

        try GrowthStep.measure(try store.grow(to: plays / 10), store, reports, into: &curve)
        try ShellQueries.measure(store, tools, report: try reports.report([]).seconds, into: &curve)

        let step = try FollowPath.measure(store, plays: plays, into: &table)
        try reports.measure(plays: plays, rounds: rounds, into: &table)
        try reports.measureStart(store, rounds: rounds, into: &table)
        if tools.python != nil { try reports.measurePeers(into: &table) }
        try GrowthStep.measure(step, store, reports, into: &curve)

        if growth > 1 {
            try GrowthStep.measure(try store.grow(to: plays * growth), store, reports, into: &curve)
        }
        try LateExport.measure(store, tools, into: &table)
        table.add(curve)
    }
}
