internal import Archive
internal import CommandLineTool
import Foundation
internal import PlayStore
internal import Reports

/// `qoe check`: service levels, for cron and alerts.
enum CheckCommand {
    static let command = Command(
        "check", summary: "holds plays against service levels: one line a breach, exit code 1 when there is one",
        options: [
            CommonOptions.data, CommonOptions.store,
            Option("slo", "FILE", environment: "QOE_SLO", help: "The service levels, one a line; - is standard input."),
        ] + ScopeOptions.days + [
            Option("all", help: "Says of every level and group how it stands, not of the broken ones alone.")
        ],
        notes: """
            A line is [NAME:] COLUMN RELATION NUMBER with a column of summary.csv and <, <=, > or >=, then "by DIM,…" and
            "where DIM=VALUE and …" if wanted; a limit of a ratio may be a percentage, such as 0.5%. A value may be in
            double quotes, a quote inside it twice; a # at the start or after a blank, outside quotes, begins a comment. The
            first frame in under a second on Wi-Fi:

              startup_p95_ms < 1000 by cdnRegion where network=wifi
              rebuffer_ratio < 0.005
              failure_ratio < 0.01

            A level on a figure with a 95 % interval is broken only when all of the interval lies on the wrong side: not by
            luck of a few plays. One on any other column is broken by its value.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let levels = try levels(arguments)
        let request = try ScopeOptions.request(arguments)
        let store = try CommonOptions.store(arguments)
        let results = try CommandFailure.translated {
            let maker = ReportMaker(store: try store.reports(CommonOptions.data(arguments)))
            return try maker.check(levels, request)
        }
        for result in results where arguments.flag("all") || result.outcome == .broken {
            try StandardOutput.write("\(result)\n")
        }
        return results.contains { $0.outcome == .broken } ? .checkFailed : .success
    }

    private static func levels(_ arguments: Arguments) throws(CommandError) -> [ServiceLevel] {
        guard let path = arguments.text("slo") else {
            throw CommandError(.usage, "check needs --slo FILE, a file of service levels (see qoe check --help)")
        }
        let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let handle, let data = try? handle.readToEnd() ?? Data() else {
            throw CommandError(.noInput, "\(path) can't be read")
        }
        let levels: [ServiceLevel]
        do {
            levels = try ServiceLevel.parse(String(decoding: data, as: UTF8.self))
        } catch {
            throw CommandError(.configuration, "\(path): \(error.description)")
        }
        guard !levels.isEmpty else { throw CommandError(.configuration, "\(path) holds no service level") }
        return levels
    }
}
