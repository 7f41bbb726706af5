internal import Archive
internal import CommandLineTool
internal import Ingest
internal import Platform
internal import PlayStore
internal import Reports

/// `qoe export`: CSV files for dashboards, kept up to date.
enum ExportCommand {
    static let command = Command(
        "export", summary: "keeps a folder of CSV files up to date: a row a day and group, for dashboards",
        options: [
            CommonOptions.data, CommonOptions.store,
            Option("output", "DIR", environment: "QOE_EXPORT", help: "The folder; made when it is not there."),
            Option(
                "days", "N", initial: "35",
                help: "How many days, counted back from the day of the newest play that is not after today."),
            ScopeOptions.by, ScopeOptions.timeZone, ScopeOptions.targetMs,
            Option(
                "replace",
                help: "Puts the export in the place of one with other groups, days or target, or of another store."),
        ],
        notes: """
            The files are \(ReportMetric.allCases.map { "\($0.rawValue).csv" }.joined(separator: ", ")), and two
            comparisons: compare_previous.csv, each day against the same weekday before, and compare_rest.csv, each group
            against the others, also at its mix of networks. Only days in
            which plays arrived since the last export are computed anew; changes.csv lists the cells of days exported
            before that have changed or left since, and export-state.json is the export's own. Each file is replaced as a
            whole.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        guard let output = arguments.text("output") else {
            throw CommandError(.usage, "export needs --output DIR (see qoe export --help)")
        }
        let scope = try ScopeOptions.request(arguments)
        let request = ExportRequest(
            days: try arguments.int("days", in: 1...10_000) ?? 35, by: scope.dimensions, zone: scope.zone,
            targetMs: scope.targetMs)
        let choice = try CommonOptions.store(arguments)
        let summary = try CommandFailure.translated {
            let data = CommonOptions.data(arguments)
            let store = try choice.reports(data)
            return try Exporter(store: store, request: request, name: choice.name(data), now: WallClock.now())
                .export(to: output, replaces: arguments.flag("replace"))
        }
        ExportMark.leave(CommonOptions.data(arguments), at: WallClock.now())
        try StandardOutput.write(
            "\(Counted(summary.days, "day")), \(summary.recomputedDays) computed anew, "
                + "\(Counted(summary.changedCells, "cell")) changed\n")
        return .success
    }
}
