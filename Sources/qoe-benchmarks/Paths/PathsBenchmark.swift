internal import CommandLineTool

/// `qoe-benchmarks paths`: what a play costs at each step of its way, alone.
enum PathsBenchmark {
    static let command = Command(
        "paths", summary: "measures each hot path alone",
        options: [
            Option("requests", "N", initial: "4000", help: "Requests of 50 events that each path works on."),
            Option("rounds", "N", initial: "5", help: "Rounds, of which the median counts."),
            Option("plays", "N", initial: "1000000", help: "Plays that the follower loads."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let requests = try arguments.int("requests", in: 1...1_000_000) ?? 4_000
        let rounds = try arguments.int("rounds", in: 1...1_000) ?? 5
        var table = ResultTable()
        try measure(requests: requests, rounds: rounds, into: &table)
        let folder = try WorkFolder()
        let plays = try arguments.int("plays", in: 50...100_000_000) ?? 1_000_000
        try FollowPath.measure(GrowingStore(in: folder.path, events: min(50, plays)), plays: plays, into: &table)
        print(table.markdown)
        return .success
    }

    static func measure(requests: Int, rounds: Int, into table: inout ResultTable) throws {
        try AccessPath.measure(requests: requests * 10, rounds: rounds, into: &table)
        try DecodingPath.measure(requests: requests, rounds: rounds, into: &table)
        try CompressionPath.measure(requests: requests, rounds: rounds, into: &table)
        try CommitPath.measure(requests: requests, into: &table)
        try RecordPath.measure(records: requests * 100, rounds: rounds, into: &table)
        try AllocationCount.measure(into: &table)
        try FoldPath.measure(reports: requests * 25, rounds: rounds, plays: requests * 25, into: &table)
    }
}
