internal import CommandLineTool

/// `qoe-benchmarks all`: everything, in one table.
enum AllBenchmark {
    static let command = Command(
        "all", summary: "measures everything and prints one table: the hot paths, the endpoint, loading and reports",
        options: IngestBenchmark.toolOptions + [
            Option("rounds", "N", initial: "5", help: "Rounds, of which the median counts."),
            Option("seconds", "N", initial: "3", help: "How long each load on a server is counted."),
            Option("requests", "N", initial: "4000", help: "Requests of 50 events that each hot path works on."),
            Option("plays", "N", initial: "10000000", help: "Plays that are loaded and reported on; a million a day."),
            ReportBenchmark.growthOption,
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let rounds = try arguments.int("rounds", in: 1...1_000) ?? 5
        let tools = IngestBenchmark.tools(arguments)
        var table = ResultTable()
        try PathsBenchmark.measure(
            requests: try arguments.int("requests", in: 1...1_000_000) ?? 4_000, rounds: rounds, into: &table)
        let kinds: [ServerKind] = tools.python == nil ? [.ours] : ServerKind.allCases
        var ingest = IngestRounds(tools: tools, seconds: Double(try arguments.int("seconds", in: 1...600) ?? 3))
        try ingest.run(rounds, of: kinds) { StandardError.write($0) }
        table.add(IngestBenchmark.table(ingest, kinds))
        let curve = try ReportBenchmark.measure(arguments, rounds: rounds, into: &table)
        let plays = try arguments.int("plays", in: 50...1_000_000_000) ?? 10_000_000
        for sessionPlays in YearsBenchmark.shapes {
            try YearsBenchmark.measure(
                days: 10, playsPerDay: max(5, plays / 10), sessionPlays: sessionPlays, rounds: rounds, tools,
                into: &table)
        }
        print(table.markdown, curve.markdown, separator: "\n\n")
        return .success
    }
}
