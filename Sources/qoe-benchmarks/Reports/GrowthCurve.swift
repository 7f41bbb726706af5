internal import Foundation

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
        return ([head, head.map { _ in "---:" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }
}
