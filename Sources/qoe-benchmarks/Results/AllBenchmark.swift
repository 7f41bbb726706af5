internal import CommandLineTool
internal import Platform

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
        try YearsBenchmark.measureMonth(plays: max(50, plays * 7 / 10), rounds: rounds, tools, into: &table)
        try FollowBenchmark.measure(plays: max(50, plays / 5), rounds: min(rounds, 3), tools, into: &table)
        try WindowBenchmark.measure(plays: plays, rounds: rounds, tools, into: &table)
        try BesideBenchmark.measure(
            plays: max(50, plays * 6 / 10), rate: 200, seconds: 5 * ingest.seconds, tools, into: &table)
        print(table.markdown, curve.markdown, separator: "\n\n")
        return .success
    }
}

/// Times several pieces of work of one thread in turn, round after round, so that whatever else the machine does meets all
/// of them alike. Counted is the thread's own time on a processor.
struct Rounds {
    /// Seconds by work, then by round.
    private(set) var seconds: [[Double]]

    /// - Parameter works: each is run once before the rounds begin, then once a round.
    init(_ count: Int, _ works: [() throws -> Void]) throws {
        seconds = Array(repeating: [], count: works.count)
        for work in works { try work() }
        for _ in 0..<count {
            for (index, work) in works.enumerated() {
                let start = SystemClock.ofThread
                try work()
                seconds[index].append(Double(SystemClock.ofThread - start) / 1e9)
            }
        }
    }

    /// The median of a work's times, in seconds.
    func median(_ work: Int) -> Double { seconds[work].median }

    /// How many times as long one work takes as another: the median of the ratios within each round.
    func ratio(_ work: Int, to other: Int) -> Double {
        zip(seconds[work], seconds[other]).map { $0 / $1 }.median
    }
}

extension [Double] {
    /// The middle value; of an even number of values the mean of the two in the middle; 0 of none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
