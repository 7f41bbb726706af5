internal import Archive
internal import CommandLineTool
internal import Foundation
internal import Platform

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

    /// An export of all of 35 days.
    static func measureMonth(plays: Int, rounds: Int, _ tools: PeerTools, into table: inout ResultTable) throws {
        let folder = try WorkFolder(in: tools.workFolder)
        let store = GrowingStore(in: folder.path, SampleLog(sessionPlays: 8, playsPerDay: max(1, plays / 35)))
        _ = try store.grow(to: plays)
        try ReportYears(data: folder.path, tools: tools, rounds: rounds, isLong: false)
            .measureExport("\(figure(Double(plays))) plays of 35 days", into: &table)
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
            let store = GrowingStore(in: data, SampleLog(sessionPlays: sessionPlays, playsPerDay: playsPerDay))
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

/// The reports that a team asks of a store day by day, timed as whole processes.
private struct ReportYears {
    let data: String
    let tools: PeerTools
    let rounds: Int
    /// More plays than the goals of ten million are about.
    let isLong: Bool

    private func report(_ options: [String]) throws -> ChildRun {
        let folder = try WorkFolder(in: tools.workFolder)
        return try ChildRun(
            try tools.program("qoe"),
            ["report", "--data", data, "--format", "csv", "--output", folder.path + "/csv"] + options)
    }

    /// - Parameter name: of the store, before each row.
    func measure(_ name: String, sessionPlays: Int, into table: inout ResultTable) throws {
        let day = try ReportRounds(data: data, tools: tools).fullestDay()
        let all = ["--metric", "all"]
        func add(_ what: String, _ options: [String], atMost limit: Double) throws -> [ChildRun] {
            _ = try report(options)
            let runs = try (0..<rounds).map { _ in try report(options) }
            let (seconds, processor) = (runs.map(\.seconds).median, runs.map(\.processorSeconds).median)
            table.add(
                "\(what), \(name)",
                "\(figure(seconds)) s, \(figure(processor)) s of processors, \(figure(runs.map(\.peakMiB).max() ?? 0)) MiB",
                seconds, atMost: limit, "≤ \(figure(limit)) s")
            return runs
        }
        let whole = try add("every metric of all plays", all, atMost: isLong ? 5 : sessionPlays == 1 ? 1.2 : 0.6)
        let memory = whole.map(\.peakMiB).max() ?? 0
        let most = isLong ? 256.0 : 128
        table.add("its memory, \(name)", "\(figure(memory)) MiB", memory, atMost: most, "≤ \(figure(most)) MiB")
        _ = try add("the summary of one day", ["--day", day], atMost: 0.08)
        _ = try add("every metric of that day", all + ["--day", day], atMost: 0.15)
        try measurePage(name, into: &table)
        try measureExport(name, into: &table)
        if tools.python != nil { try measureDuckDB(name, sessionPlays, into: &table) }
    }

    /// The page of the newest seven days, from a server on this data.
    private func measurePage(_ name: String, into table: inout ResultTable) throws {
        let server = try ServerUnderLoad(.ours, tools, data: data)
        // The last day that has plays, and the six before it; the server's own clock is another.
        let days = try ReportRounds(data: data, tools: tools).days().suffix(7)
        let range = "from=\(days.first ?? "")&to=\(days.last ?? "")"
        var seconds: [Double] = []
        for round in 0...rounds {
            let start = SystemClock.monotonic
            let page = try LocalHTTP.get("/?\(range)", port: server.port)
            if round > 0 { seconds.append(Double(SystemClock.monotonic - start) / 1e9) }
            guard page.contains("<table") else { throw PeerFailure(description: "the page has no table") }
        }
        table.add(
            "the page of seven days, \(name)", "\(figure(seconds.median)) s", seconds.median, atMost: 1, "≤ 1 s")
    }

    func measureExport(_ name: String, into table: inout ResultTable) throws {
        var runs: [ChildRun] = []
        for _ in 0..<rounds {
            let folder = try WorkFolder(in: tools.workFolder)
            runs.append(
                try ChildRun(
                    try tools.program("qoe"), ["export", "--data", data, "--output", folder.path + "/csv"]))
        }
        let seconds = runs.map(\.seconds).median
        let memory = runs.map(\.peakMiB).max() ?? 0
        table.add(
            "export from nothing, \(name)", "\(figure(seconds)) s", seconds, atMost: isLong ? 10 : 2,
            "≤ 2 s for 7 million plays of 35 days")
        table.add("memory of the export, \(name)", "\(figure(memory)) MiB", memory, atMost: 256, "≤ 256 MiB")
    }

    /// The same sums and percentiles on one thread each, by turns.
    private func measureDuckDB(_ name: String, _ sessionPlays: Int, into table: inout ResultTable) throws {
        guard let python = tools.python else { return }
        let folder = try WorkFolder(in: tools.workFolder)
        let csv = folder.path + "/plays.csv"
        try PlayTable.write(DataPaths(data).database, to: csv)
        let duckdb = try ChildRun(
            python + "/python", ["-B", tools.sources + "/duckdb_report.py", csv, folder.path + "/plays.duckdb"])
        let lines = duckdb.output.split(separator: "\n").compactMap { Double($0) }
        guard lines.count == 2 else { throw PeerFailure(description: "DuckDB said: \(duckdb.output)") }
        let ours = try (0..<rounds).map { _ in try report([]).processorSeconds }.median
        table.add(
            "the summary of processors against DuckDB's figures on one thread, \(name)",
            "\(figure(ours)) s against \(figure(lines[0])) s, \(figure(ours / lines[0])) ×", ours / lines[0],
            atMost: 0.5,
            "≤ 0.5 ×")
    }
}
