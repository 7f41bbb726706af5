internal import Foundation

/// How things stand when a store has grown to a size, for a curve over sizes.
enum GrowthStep {
    /// - Parameters:
    ///   - step: what led there.
    ///   - store: as it is now.
    static func measure(
        _ step: GrowingStore.Step, _ store: GrowingStore, _ reports: ReportRounds, into table: inout ResultTable
    ) throws {
        let plays = Double(store.plays)
        let report = try reports.report([])
        let day = try reports.report(["--day", try reports.fullestDay()])
        let start = try ServerUnderLoad(.ours, reports.tools, data: reports.data).startSeconds
        let bytes = (database: Double(try store.databaseBytes), archive: Double(try store.archiveBytes))
        table.add(
            "at \(figure(plays)) plays",
            [
                "loaded at \(figure(Double(step.plays) / step.seconds)) plays/s,"
                    + " \(figure(step.processorSeconds / Double(step.plays) * 1e6)) µs of a processor each",
                "\(figure(bytes.database / plays)) bytes a play in the database, \(figure(bytes.archive / plays)) in the"
                    + " archive",
                "report \(figure(report.seconds)) s, \(figure(report.processorSeconds / plays * 1e6)) µs of a processor a"
                    + " play, \(figure(report.peakMiB)) MiB; of a day \(figure(day.processorSeconds)) s of a processor",
                "start \(figure(start)) s with \(figure(bytes.archive / 1_048_576)) MiB of archive",
            ].joined(separator: "; "))
    }
}
