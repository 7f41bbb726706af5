internal import Archive
internal import CommandLineTool
internal import Foundation
internal import Platform
internal import SQLite

/// `qoe-benchmarks window`: the last minutes of a busy day, and one session of it.
enum WindowBenchmark {
    static let command = Command(
        "window",
        summary: "fills a store with one day that ends now, and asks for its last fifteen minutes and for sessions",
        options: IngestBenchmark.toolOptions + [
            Option("plays", "N", initial: "10000000", help: "Plays of the day."),
            Option("rounds", "N", initial: "5", help: "Rounds, of which the median counts."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        var table = ResultTable()
        try measure(
            plays: try arguments.int("plays", in: 50...1_000_000_000) ?? 10_000_000,
            rounds: try arguments.int("rounds", in: 1...100) ?? 5, IngestBenchmark.tools(arguments), into: &table)
        print(table.markdown)
        return .success
    }

    static func measure(plays: Int, rounds: Int, _ tools: PeerTools, into table: inout ResultTable) throws {
        let folder = try WorkFolder(in: tools.workFolder)
        let yesterday = Double(WallClock.now()) - 86_400_000
        let store = GrowingStore(
            in: folder.path, SampleLog(sessionPlays: 8, playsPerDay: plays, beginning: yesterday))
        _ = try store.grow(to: plays)
        let sessions = try sessions(of: store.paths.database)
        let server = try ServerUnderLoad(.ours, tools, data: folder.path)
        let name = "\(figure(Double(plays))) plays a day"
        let window = try median(rounds) {
            let text = try LocalHTTP.get("/v1/reports/summary.csv?last=15m", port: server.port)
            guard text.split(separator: "\r\n").count > 2 else {
                throw PeerFailure(description: "the last fifteen minutes said: \(text.prefix(200))")
            }
        }
        table.add(
            "summary of the last 15 minutes over HTTP, \(name)", "\(figure(window * 1e3)) ms", window * 1e3,
            atMost: 200,
            "< 200 ms")
        let program = try tools.program("qoe")
        var times: [Double] = []
        for session in sessions {
            times.append(
                try median(rounds) {
                    let run = try ChildRun(program, ["plays", "--data", folder.path, "--session", session])
                    guard run.output.contains("clip-") else {
                        throw PeerFailure(description: "plays said: \(run.output.prefix(200))")
                    }
                })
        }
        let slowest = (times.max() ?? 0) * 1e3
        table.add(
            "qoe plays --session, the slowest of \(sessions.count), \(name)", "\(figure(slowest)) ms", slowest,
            atMost: 50,
            "< 50 ms")
    }

    /// Some that came early, in the middle and late.
    private static func sessions(of database: String) throws -> [String] {
        let connection = try SQLiteConnection(path: database, mode: .readOnly)
        let last = try connection.integer("SELECT max(id) FROM runs")
        return try [0, last / 2, last - last / 50].compactMap { first in
            let rows = try connection.prepare(
                "SELECT session_id FROM runs WHERE session_id IS NOT NULL AND id >= \(first) LIMIT 1")
            return try rows.step() ? rows.text(0) : nil
        }
    }

    /// The median of what a work takes, in seconds, after it was done once.
    private static func median(_ rounds: Int, _ work: () throws -> Void) rethrows -> Double {
        try work()
        return try (0..<rounds).map { _ in
            let start = SystemClock.monotonic
            try work()
            return Double(SystemClock.monotonic - start) / 1e9
        }.median
    }
}
