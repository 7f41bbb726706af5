internal import Archive
internal import Foundation

/// The `sqlite3` shell with the files of `Queries/`, on the view `plays` as it stands: what somebody does by hand.
enum ShellQueries {
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
