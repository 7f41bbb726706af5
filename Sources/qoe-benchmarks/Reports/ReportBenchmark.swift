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
            let late = try store.grow(to: plays * growth)
            let ratio = (Double(late.plays) / late.seconds) / (Double(step.plays) / step.seconds)
            table.add(
                "loading up to \(figure(Double(plays * growth))) plays against up to \(figure(Double(plays)))",
                "\(figure(ratio)) ×", ratio, atLeast: 0.85, "≥ 0.85")
            try curve.add(late, store, reports)
        }
        try LateExport.measure(store, tools, into: &table)
        return curve
    }
}

/// The `sqlite3` shell with the files of `Queries/`, on the view `plays` as it stands: what somebody does by hand.
private enum ShellQueries {
    private static let files = ["totals", "startups", "session_sums", "failures_by_code"]
    private static let shell = "/usr/bin/sqlite3"

    /// - Parameter seconds: what a report with all metrics takes on the same plays.
    static func measure(
        _ store: GrowingStore, _ tools: PeerTools, report seconds: Double, into table: inout ResultTable
    )
        throws
    {
        guard FileManager.default.isExecutableFile(atPath: shell) else { return }
        let queries = URL(fileURLWithPath: tools.sources).appendingPathComponent("../../../Queries").standardized.path
        var words: [String] = []
        var sum = 0.0
        for file in files {
            let run = try ChildRun(shell, ["-readonly", store.paths.database, ".read '\(queries)/\(file).sql'"])
            sum += run.seconds
            words.append("\(file).sql \(figure(run.seconds)) s")
        }
        table.add(
            "the sqlite3 shell on \(figure(Double(store.plays))) plays",
            words.joined(separator: ", ") + ": \(figure(sum / seconds)) × the report with all metrics")
    }
}

/// `qoe export` again after one play has come late: only its day is to be touched.
private enum LateExport {
    static func measure(_ store: GrowingStore, _ tools: PeerTools, into table: inout ResultTable) throws {
        let program = try tools.program("qoe")
        let folder = try WorkFolder(in: tools.workFolder)
        let export = ["export", "--data", store.paths.root, "--output", folder.path + "/csv"]
        let first = try ChildRun(program, export)
        let idle = try ChildRun(program, export)
        // A play of the log's first day, received after all others.
        let receipt = store.lastReceipt + 1_000
        let age = receipt - Int64(SampleLog.beginning) - 3_600_000
        let body = folder.path + "/late.json"
        try """
        {"events":[{"videoId":"late","stalls":0,"stalledMs":0,"watchedMs":20000,"startupMs":300,"ageMs":\(age)}]}
        """.write(toFile: body, atomically: true, encoding: .utf8)
        _ = try ChildRun(program, ["load", "--data", store.paths.root, "--received-at", String(receipt), body])
        let late = try ChildRun(program, export)
        let words = late.output.split(separator: " ")
        guard words.count > 2, let days = Double(words[2]) else {
            throw PeerFailure(description: "export said: \(late.output)")
        }
        table.add(
            "export after one late play",
            "\(figure(days)) of \(words[0]) days computed anew in \(figure(late.seconds)) s"
                + " (all of them: \(figure(first.seconds)) s, none: \(figure(idle.seconds)) s)", days, atMost: 1,
            "one day")
    }
}

/// How things stand at each size of a store that grows.
struct GrowthCurve {
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - step: what led to the size.
    ///   - store: as it is now.
    mutating func add(_ step: GrowingStore.Step, _ store: GrowingStore, _ reports: ReportRounds) throws {
        let plays = Double(store.plays)
        let report = try reports.report([])
        let day = try reports.report(["--day", try reports.fullestDay()])
        let start = try ServerUnderLoad(.ours, reports.tools, data: reports.data).startSeconds
        let archive = Double(try store.archiveBytes)
        rows.append([
            figure(plays), figure(Double(step.plays) / step.seconds),
            figure(step.processorSeconds / Double(step.plays) * 1e6), figure(Double(try store.databaseBytes) / plays),
            figure(archive / plays), "\(figure(report.seconds)) s", figure(report.processorSeconds / plays * 1e6),
            "\(figure(report.peakMiB)) MiB", "\(figure(day.processorSeconds)) s",
            "\(figure(start)) s (\(figure(archive / 1_048_576)) MiB)",
        ])
    }

    /// A Markdown table with a row a size.
    var markdown: String {
        let head = [
            "plays", "loaded a second", "µs of a processor to load one", "bytes a play in the database",
            "in the archive", "report on all", "µs of a processor a play", "memory", "report on a day, of a processor",
            "start (with so much archive)",
        ]
        return numbersTable(head, rows)
    }
}
