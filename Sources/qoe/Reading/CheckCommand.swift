internal import Archive
internal import CommandLineTool
import Foundation
internal import Platform
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
            ScopeOptions.filter, ScopeOptions.targetMs,
            Option("all", help: "Says of every level and group how it stands, not only of what fails."),
            Option("allow-empty", help: "Plays that are missing, or have never had a level's value, are no failure."),
            Option("format", "FORMAT", initial: "text", help: "text or json."),
        ],
        notes: """
            A line is [NAME:] COLUMN RELATION NUMBER with a column of summary.csv and <, <=, > or >=, then "by DIM,…",
            "where DIM=VALUE and …", "over 1h" and "for 10m" if wanted; a limit of a ratio may be a percentage, such as
            0.5%. A value may be in double quotes, a quote inside it twice; a # at the start or after a blank, outside
            quotes, begins a comment. The first frame in under a second on Wi-Fi:

              startup_p95_ms < 1000 by cdnRegion where network=wifi
              rebuffer_ratio < 0.005
              failure_ratio < 0.01

            A level on a figure with a 95 % interval is broken only when all of the interval lies on the wrong side: not by
            luck of a few plays; it is kept only when all of it lies on the right side. One on any other column goes by its
            value. A group that has had plays in the seven days before and has none fails, too. Without days a level with
            "over" is about so much time until now; "for" is for qoe serve.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let levels = try levels(arguments)
        let request = try ScopeOptions.request(arguments)
        let isText = try format(arguments) == "text"
        let allowsEmpty = arguments.flag("allow-empty")
        let store = try CommonOptions.store(arguments)
        let results = try CommandFailure.translated {
            let maker = ReportMaker(store: try store.reports(CommonOptions.data(arguments)))
            return try maker.check(levels, request, now: request.days == .all ? WallClock.now() : nil)
        }
        let shown = results.filter { arguments.flag("all") || $0.isFailure(allowsEmpty: allowsEmpty) }
        if isText {
            for result in shown { try StandardOutput.write("\(result)\n") }
        } else {
            try StandardOutput.write(ServiceLevelResult.json(shown, request))
        }
        return results.contains { $0.isFailure(allowsEmpty: allowsEmpty) } ? .checkFailed : .success
    }

    private static func format(_ arguments: Arguments) throws(CommandError) -> String {
        guard let format = arguments.text("format"), ["text", "json"].contains(format) else {
            throw arguments.fault("format", "should be text or json")
        }
        return format
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
