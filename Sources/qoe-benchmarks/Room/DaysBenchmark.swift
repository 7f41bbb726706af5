internal import Archive
internal import CommandLineTool
internal import Foundation
internal import Platform

/// `qoe-benchmarks days`: what day 1, 10 and 100 of ordinary traffic take.
enum DaysBenchmark {
    static let command = Command(
        "days",
        summary: "fills a store with days of requests of one to three plays, and tells what day 1, 10 and 100 take",
        options: IngestBenchmark.toolOptions + [
            Option("days", "N", initial: "100", help: "How many."),
            Option("plays-per-day", "N", initial: "30000", help: "How many plays each has."),
            Option("rounds", "N", initial: "3", help: "Rounds, of which the median counts."),
        ])

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let days = try arguments.int("days", in: 1...10_000) ?? 100
        let playsPerDay = try arguments.int("plays-per-day", in: 50...100_000_000) ?? 30_000
        let rounds = try arguments.int("rounds", in: 1...100) ?? 3
        let tools = IngestBenchmark.tools(arguments)
        let folder = try WorkFolder(in: tools.workFolder)
        // Each request is a member of its own, as where they come one by one.
        let store = GrowingStore(
            in: folder.path, SampleLog(events: 1...3, sessionPlays: 8, playsPerDay: playsPerDay), commitBytes: 1)
        let exports = try WorkFolder(in: tools.workFolder)
        var rows: [[String]] = []
        for number in Set([1, 10, 100, days]).sorted() where number <= days {
            StandardError.write("up to day \(number)")
            let day = Day(number: number, store: store, tools: tools, rounds: rounds)
            if number > 1 {
                _ = try store.grow(to: (number - 1) * playsPerDay)
                _ = try day.export(to: exports.path)
            }
            _ = try store.grow(to: number * playsPerDay)
            try compact(store)
            rows.append(try day.row(night: try day.export(to: exports.path)))
        }
        print(numbersTable(Day.head, rows))
        return .success
    }

    /// Compacts all files but the newest two, as a server does after midnight.
    private static func compact(_ store: GrowingStore) throws {
        let directory = try DataDirectory(store.paths.root)
        let compactor = LogCompactor(directory)
        let end = LogPosition(segment: .max, offset: 0)
        let day = UTCDay(number: store.lastReceipt / 86_400_000)
        for segment in try compactor.candidates(.plays, before: day, readUpTo: end)
        where try !compactor.isCompacted(segment) {
            guard case .compacted = try compactor.compact(segment) else {
                throw PeerFailure(description: "\(segment.label) was not compacted")
            }
        }
    }
}

/// How things stand after so many days.
private struct Day {
    let number: Int
    let store: GrowingStore
    let tools: PeerTools
    let rounds: Int

    static let head = [
        "Day", "Plays", "Bytes a play in the database", "in the archive", "Start", "Memory at rest",
        "Page of seven days",
        "A day's summary", "Every metric of a day", "Export of 35 days from nothing", "A night's export",
    ]

    /// - Parameter night: what the export took that came after the day, in seconds.
    func row(night: Double) throws -> [String] {
        let plays = Double(store.plays)
        let reports = ReportRounds(data: store.paths.root, tools: tools)
        let day = try reports.fullestDay()
        let (start, memory, page) = try served(try reports.days())
        let whole = try (0..<rounds).map { _ in
            let folder = try WorkFolder(in: tools.workFolder)
            return try export(to: folder.path + "/csv")
        }
        return [
            String(number), figure(plays), figure(Double(try store.databaseBytes) / plays),
            figure(Double(try store.archiveBytes) / plays), "\(figure(start)) s", "\(figure(memory)) MiB",
            "\(figure(page)) s", "\(figure(try report(["--day", day]))) s",
            "\(figure(try report(["--day", day, "--metric", "all"]))) s", "\(figure(whole.median)) s",
            "\(figure(night)) s",
        ]
    }

    /// From a server on this data: how long it took to start, what it has of memory before anybody asks, and how long the page
    /// of the newest seven days takes.
    private func served(_ days: [String]) throws -> (start: Double, memory: Double, page: Double) {
        var starts: [Double] = []
        var memories: [Double] = []
        var pages: [Double] = []
        for _ in 0..<rounds {
            let server = try ServerUnderLoad(.ours, tools, data: store.paths.root)
            starts.append(server.startSeconds)
            // Until the follower has come to rest.
            usleep(3_000_000)
            memories.append(server.residentMiB)
            let newest = days.suffix(7)
            let begin = SystemClock.monotonic
            let text = try LocalHTTP.get("/?from=\(newest.first ?? "")&to=\(newest.last ?? "")", port: server.port)
            pages.append(Double(SystemClock.monotonic - begin) / 1e9)
            guard text.contains("<table") else { throw PeerFailure(description: "the page has no table") }
        }
        return (starts.median, memories.median, pages.median)
    }

    private func report(_ options: [String]) throws -> Double {
        let folder = try WorkFolder(in: tools.workFolder)
        let words =
            ["report", "--data", store.paths.root, "--format", "csv", "--output", folder.path + "/csv"] + options
        return try (0..<rounds).map { _ in try ChildRun(try tools.program("qoe"), words).seconds }.median
    }

    /// - Returns: what an export of the newest 35 days took, in seconds.
    func export(to folder: String) throws -> Double {
        try ChildRun(
            try tools.program("qoe"), ["export", "--data", store.paths.root, "--output", folder]
        ).seconds
    }
}
