internal import Archive
internal import Foundation

/// Reports on one data directory, timed.
struct ReportRounds {
    let data: String
    let plays: Int
    let tools: PeerTools

    private var database: String { DataPaths(data).database }

    func measure(rounds: Int, into table: inout ResultTable) throws {
        let program = try tools.program("qoe")
        let folder = try WorkFolder(in: tools.workFolder)
        let all = ["report", "--data", data, "--metric", "all", "--format", "csv", "--output", folder.path + "/all"]
        // The last day that has all of its plays.
        let first = try ChildRun(program, ["report", "--data", data, "--by", "day", "--format", "csv"])
        let days = first.output.split(separator: "\r\n").dropFirst().compactMap { $0.split(separator: ",").first }
        let day = String(days.dropLast().last ?? days.last ?? "2026-11-01")
        var reports: [ChildRun] = []
        var scans: [Double] = []
        var dayReports: [ChildRun] = []
        for _ in 0..<rounds {
            reports.append(try ChildRun(program, all))
            let start = MonotonicTime.now
            _ = try BareScan.run(database)
            scans.append(Double(MonotonicTime.now - start) / 1e9)
            dayReports.append(try ChildRun(program, all + ["--day", day]))
        }
        let seconds = reports.map(\.seconds).median
        let ratio = zip(reports, scans).map { $0.seconds / $1 }.median
        let memory = reports.map(\.peakMiB).max() ?? 0
        table.add(
            "report over \(figure(Double(plays))) plays, all metrics with intervals",
            "\(figure(seconds)) s, \(figure(ratio)) × a bare scan by sqlite3_step (\(figure(scans.median)) s)", ratio,
            atMost: 1.5, "≤ 1.5 × a bare scan")
        table.add("memory of that report", "\(figure(memory)) MiB", memory, atMost: 256, "≤ 256 MiB")
        let daySeconds = dayReports.map(\.seconds).median
        table.add(
            "report on the day \(day) alone", "\(figure(daySeconds)) s", daySeconds, atMost: 0.25, "≤ 0.25 s")
    }

    /// Other engines on the same plays, with less to compute: four aggregates by region, no interval.
    func measurePeers(into table: inout ResultTable) throws {
        guard let python = tools.python else { return }
        let folder = try WorkFolder(in: tools.workFolder)
        let csv = folder.path + "/plays.csv"
        try PlayTable.write(database, to: csv)
        let duckdb = try ChildRun(
            python + "/python", ["-B", tools.sources + "/duckdb_report.py", csv, folder.path + "/plays.duckdb"])
        let lines = duckdb.output.split(separator: "\n").compactMap { Double($0) }
        guard lines.count == 2 else { throw PeerFailure(description: "DuckDB said: \(duckdb.output)") }
        table.add(
            "DuckDB, four aggregates by region, its own format",
            "\(figure(lines[0])) s with one thread, \(figure(lines[1])) s with two")
        let pandas = try ChildRun(python + "/python", ["-B", tools.sources + "/pandas_report.py", csv])
        let times = pandas.output.split(separator: "\n").compactMap { Double($0) }
        guard times.count == 2 else { throw PeerFailure(description: "pandas said: \(pandas.output)") }
        table.add(
            "pandas, the same", "\(figure(times[1])) s, after \(figure(times[0])) s of reading;"
                + " \(figure(pandas.peakMiB)) MiB")
    }
}
