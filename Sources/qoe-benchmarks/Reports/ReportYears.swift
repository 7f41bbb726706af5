internal import Archive
internal import Foundation
internal import Platform

/// The reports that a team asks of a store day by day, timed as whole processes.
struct ReportYears {
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

    private func measureExport(_ name: String, into table: inout ResultTable) throws {
        var runs: [ChildRun] = []
        for _ in 0..<rounds {
            let folder = try WorkFolder(in: tools.workFolder)
            runs.append(
                try ChildRun(
                    try tools.program("qoe"), ["export", "--data", data, "--output", folder.path + "/csv"]))
        }
        let seconds = runs.map(\.seconds).median
        table.add(
            "export from nothing, \(name)",
            "\(figure(seconds)) s, \(figure(runs.map(\.peakMiB).max() ?? 0)) MiB", seconds, atMost: isLong ? 10 : 2,
            "≤ 2 s for 7 million plays of 35 days")
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
