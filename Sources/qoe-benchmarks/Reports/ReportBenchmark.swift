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
        let curve = try measure(arguments, rounds: try arguments.int("rounds", in: 1...100) ?? 3, into: &table)
        print(table.markdown, curve.markdown, separator: "\n\n")
        return .success
    }

    /// A store that grows: to a tenth of the plays, to all of them, where most is measured, and beyond.
    static func measure(_ arguments: Arguments, rounds: Int, into table: inout ResultTable) throws -> GrowthCurve {
        let plays = try arguments.int("plays", in: 50...1_000_000_000) ?? 10_000_000
        let growth = try arguments.int("growth", in: 1...100) ?? 3
        let tools = IngestBenchmark.tools(arguments)
        let folder = try WorkFolder(in: tools.workFolder)
        let store = GrowingStore(in: folder.path)
        let reports = ReportRounds(data: folder.path, tools: tools)
        var curve = GrowthCurve()

        try curve.add(try store.grow(to: plays / 10), store, reports)
        try ShellQueries.measure(store, tools, report: try reports.report([]).seconds, into: &table)

        let step = try FollowPath.measure(store, plays: plays, into: &table)
        try reports.measure(plays: plays, rounds: rounds, into: &table)
        try reports.measureStart(store, rounds: rounds, into: &table)
        if tools.python != nil { try reports.measurePeers(into: &table) }
        try curve.add(step, store, reports)

        if growth > 1 {
            try curve.add(try store.grow(to: plays * growth), store, reports)
        }
        try LateExport.measure(store, tools, into: &table)
        return curve
    }
}
