internal import Archive
internal import Foundation
internal import Platform
internal import SQLite

/// Reports on one data directory, timed.
struct ReportRounds {
    let data: String
    let tools: PeerTools

    private var database: String { DataPaths(data).database }

    /// A report with all metrics, and what it took.
    func report(_ more: [String]) throws -> ChildRun {
        let folder = try WorkFolder(in: tools.workFolder)
        return try ChildRun(
            try tools.program("qoe"),
            ["report", "--data", data, "--metric", "all", "--format", "csv", "--output", folder.path + "/csv"] + more)
    }

    func measure(plays: Int, rounds: Int, into table: inout ResultTable) throws {
        let day = try fullestDay()
        // Once for what the system keeps of files in memory.
        _ = try report([])
        var reports: [ChildRun] = []
        var scans: [BareScan.Cost] = []
        var scansOnTwo: [BareScan.Cost] = []
        var dayReports: [ChildRun] = []
        for _ in 0..<rounds {
            reports.append(try report([]))
            scans.append(try BareScan.run(database, threads: 1))
            scansOnTwo.append(try BareScan.run(database, threads: 2))
            dayReports.append(try report(["--day", day]))
        }
        let seconds = reports.map(\.seconds).median
        let ratio = zip(reports, scans).map { $0.processorSeconds / $1.processorSeconds }.median
        let clock = zip(reports, scansOnTwo).map { $0.seconds / $1.seconds }.median
        table.add(
            "report over \(figure(Double(plays))) plays, all metrics with intervals",
            "\(figure(reports.map(\.processorSeconds).median)) s of a processor, \(figure(ratio)) × a bare scan by"
                + " sqlite3_step (\(figure(scans.map(\.processorSeconds).median)) s); by the clock \(figure(seconds)) s,"
                + " \(figure(clock)) × a scan on two threads", ratio,
            atMost: 1.5, "≤ 1.5 × a bare scan")
        let memory = reports.map(\.peakMiB).max() ?? 0
        table.add("memory of that report", "\(figure(memory)) MiB", memory, atMost: 256, "≤ 256 MiB")
        let daySeconds = dayReports.map(\.seconds).median
        table.add(
            "report on the day \(day) alone",
            "\(figure(daySeconds)) s, \(figure(dayReports.map(\.processorSeconds).median)) s of a processor",
            daySeconds, atMost: 0.25, "≤ 0.25 s")
    }

    /// The day with the most plays.
    func fullestDay() throws -> String {
        let days = try playsByDay()
        guard let day = days.max(by: { $0.plays < $1.plays })?.day else {
            throw PeerFailure(description: "the report by day has no plays")
        }
        return day
    }

    /// All days that have plays.
    func days() throws -> [String] { try playsByDay().map(\.day) }

    private func playsByDay() throws -> [(day: String, plays: Int)] {
        let days = try ChildRun(
            try tools.program("qoe"), ["report", "--data", data, "--by", "day", "--format", "csv"])
        let lines = days.output.split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        guard let plays = lines.first?.firstIndex(of: "plays") else { return [] }
        return lines.dropFirst().map { (String($0[0]), Int($0[plays]) ?? 0) }
    }

    /// How long the server takes until it listens, beside one with an empty directory.
    func measureStart(_ store: GrowingStore, rounds: Int, into table: inout ResultTable) throws {
        var seconds: [Double] = []
        var empty: [Double] = []
        for _ in 0..<rounds {
            seconds.append(try ServerUnderLoad(.ours, tools, data: data).startSeconds)
            empty.append(try ServerUnderLoad(.ours, tools).startSeconds)
        }
        let bytes = try store.archiveBytes
        table.add(
            "start with \(figure(Double(bytes) / 1_048_576)) MiB of archive already loaded",
            "\(figure(seconds.median)) s (with nothing: \(figure(empty.median)) s)", seconds.median, atMost: 0.5,
            "≤ 0.5 s")
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
            "pandas, the same",
            "\(figure(times[1])) s, after \(figure(times[0])) s of reading;"
                + " \(figure(pandas.peakMiB)) MiB")
    }
}

/// Reads the columns that a report by region needs, row by row, and does nothing with them: what SQLite itself takes.
enum BareScan {
    private static let columns = [
        "hour", "ended_ms", "lag_ms", "arrival", "delivery", "run", "startup_ms", "stalls", "stalled_ms", "watched_ms",
        "avg_bitrate", "bytes", "error", "flags", "waited_ms", "memory_bytes", "attempt", "access_log_startup_ms",
        "player_stalls", "player_stalled_ms",
    ]

    /// What a scan took.
    struct Cost {
        var seconds = 0.0
        var processorSeconds = 0.0
    }

    /// Scans on one thread or on two, each of which reads half of the hours.
    ///
    /// - Parameter database: the store's file.
    static func run(_ database: String, threads: Int) throws -> Cost {
        let (start, processor) = (SystemClock.monotonic, SystemClock.ofProcess)
        let connection = try SQLiteConnection(path: database, mode: .readOnly)
        let middle = try connection.integer("SELECT (min(hour) + max(hour)) / 2 FROM hours")
        let conditions = threads == 1 ? [""] : [" WHERE hour < \(middle)", " WHERE hour >= \(middle)"]
        _ = try conditions.parallelMap { try sum(database, $0) }
        return Cost(
            seconds: Double(SystemClock.monotonic - start) / 1e9,
            processorSeconds: Double(SystemClock.ofProcess - processor) / 1e9)
    }

    /// - Returns: a sum of everything, so that all of it has been read.
    private static func sum(_ database: String, _ condition: String) throws -> Int64 {
        let connection = try SQLiteConnection(path: database, mode: .readOnly)
        var sum: Int64 = 0
        for table in ["prompt_plays", "delayed_plays"] {
            let rows = try connection.prepare("SELECT \(columns.joined(separator: ", ")) FROM \(table)\(condition)")
            while try rows.step() {
                for column in columns.indices { sum &+= rows.int(column) }
            }
        }
        return sum
    }
}
