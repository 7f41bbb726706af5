internal import Archive
internal import CommandLineTool
internal import Foundation
internal import PlayStore
internal import SQLite

/// `qoe-benchmarks follow`: loading plays with columns and without, many in one hour, and what columns take.
enum FollowBenchmark {
    static let command = Command(
        "follow",
        summary: "loads plays with columns of closed hours and without, in turns, and tells what columns take",
        options: IngestBenchmark.toolOptions + [
            Option("plays", "N", initial: "2000000", help: "Plays of each load."),
            Option("rounds", "N", initial: "3", help: "Rounds, of which the median counts."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        var table = ResultTable()
        try measure(
            plays: try arguments.int("plays", in: 50...100_000_000) ?? 2_000_000,
            rounds: try arguments.int("rounds", in: 1...100) ?? 3, IngestBenchmark.tools(arguments), into: &table)
        print(table.markdown)
        return .success
    }

    static func measure(plays: Int, rounds: Int, _ tools: PeerTools, into table: inout ResultTable) throws {
        let (day, hour) = (1_000_000, 24 * plays)
        var rates: [String: [Double]] = [:]
        func load(_ name: String, playsPerDay: Int, columns: Bool) throws {
            let folder = try WorkFolder(in: tools.workFolder)
            let log = SampleLog(sessionPlays: 8, playsPerDay: playsPerDay, seed: UInt64.random(in: 1...1_000_000))
            var configuration = StoreConfiguration()
            configuration.makesColumns = columns
            let step = try GrowingStore(in: folder.path, log, configuration: configuration).grow(to: plays)
            rates[name, default: []].append(Double(step.plays) / step.seconds)
        }
        for _ in 0..<rounds {
            try load("columns", playsPerDay: day, columns: true)
            try load("rows", playsPerDay: day, columns: false)
            try load("hour", playsPerDay: hour, columns: true)
            try load("hour of rows", playsPerDay: hour, columns: false)
        }
        func ratio(_ one: String, _ other: String) -> Double {
            zip(rates[one] ?? [], rates[other] ?? []).map { $0 / $1 }.median
        }
        let name = "\(figure(Double(plays))) plays"
        for (what, one, other) in [("at a million a day", "columns", "rows"), ("in one hour", "hour", "hour of rows")] {
            let rate = (rates[one] ?? []).median
            table.add(
                "follower, \(name) \(what), columns made", "\(figure(rate)) plays/s", rate, atLeast: 300_000,
                "≥ 300,000 plays/s")
            let share = ratio(one, other)
            table.add(
                "the same against rows alone, \(what)", "\(figure(share)) ×", share, atLeast: 0.85, "≥ 0.85 ×")
        }
        try measureColumns("every field", .full, 22, plays, tools, into: &table)
        try measureColumns("the fields of a small play", .small, 16, plays, tools, into: &table)
    }

    /// What columns take beside rows, hashes of sessions included.
    private static func measureColumns(
        _ name: String, _ form: SampleBody.Form, _ limit: Double, _ plays: Int, _ tools: PeerTools,
        into table: inout ResultTable
    ) throws {
        let folder = try WorkFolder(in: tools.workFolder)
        let log = SampleLog(form: form, sessionPlays: 8, playsPerDay: 1_000_000)
        let store = GrowingStore(in: folder.path, log)
        _ = try store.grow(to: plays)
        let connection = try SQLiteConnection(path: store.paths.database, mode: .readOnly)
        func sum(_ query: String) throws -> Double { Double(try connection.integer(query)) }
        let inColumns = max(1, try sum("SELECT coalesce(sum(column_plays), 0) FROM hours"))
        let bytes = try sum("SELECT coalesce(sum(length(data)), 0) FROM play_columns") / inColumns
        let sessions = try sum("SELECT count(*) FROM runs WHERE session_id IS NOT NULL")
        let hashes = try sum("SELECT coalesce(sum(length(hashes)), 0) FROM run_hashes")
        table.add(
            "columns of \(name)",
            "\(figure(bytes)) bytes a play, and \(figure(sessions > 0 ? hashes / sessions : 0)) a session", bytes,
            atMost: limit, "≤ \(figure(limit)), and 8 a session")
    }
}
