internal import Archive
internal import CommandLineTool
import Foundation
internal import PlayStore
internal import Reports

/// `qoe report`: figures out of the store.
enum ReportCommand {
    static let command = Command(
        "report", summary: "how video played: startup, rebuffering, failures, data and memory, by CDN region",
        options: [CommonOptions.data, CommonOptions.store] + ScopeOptions.all + ScopeOptions.groups + [
            Option(
                "metric", "NAME",
                help: "One of \(ReportMetric.allCases.map(\.rawValue).joined(separator: ", ")), or all; summary when "
                    + "nothing is said."),
            Option(
                "percentiles", "P,…",
                help: "Percentiles of startup beside p50 and p95, whole numbers such as 75,90,99; six at the most."),
            Option("format", "FORMAT", initial: "table", help: "One of \(Format.names)."),
            Option(
                "compare", "REFERENCE",
                help: "Sets each group against itself before (previous: the same length of time, or with --by day the "
                    + "same weekday), or against all other groups (rest): how many times as often the bad outcome is, "
                    + "with its interval and a plain verdict. DIM=VALUE such as tag:arm=a is an experiment, with "
                    + "--sequential and --since."),
            Option(
                "sequential",
                help:
                    "With --compare DIM=VALUE: an experiment, each other value of the dimension against that one. The "
                    + "intervals hold however often one looks."),
            Option("since", "DAY", help: "The first day of the experiment; what was before is left out."),
            Option(
                "adjust", "DIM,…",
                help: "With --compare: also against what the others would have had with the group's mix of one to "
                    + "three dimensions, such as network."),
            Option(
                "changed",
                help:
                    "What changed against the same weekdays before: the plays that were bad more often, by at most three "
                    + "of their dimensions, with the hours. A table of its own in CSV and JSON."),
            CommonOptions.errorClasses,
            Option(
                "output", "PATH",
                help: "Where to write instead of standard output: a file, or with several tables a folder, made when "
                    + "it is not there."),
        ],
        notes: """
            Without --by the groups are the CDN regions, and without a range the period is all plays. The last row of
            a period, (all), is computed over its plays. --format html is one page with every metric, its course over
            days and each group against the rest. A database is read beside a running server at any time.
            """)

    enum Format: String, CaseIterable {
        case table, markdown, csv, json, html

        static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

        /// What a file of it is called after the metric's name.
        var suffix: String {
            switch self {
            case .table: "txt"
            case .markdown: "md"
            default: rawValue
            }
        }
    }

    /// What is asked for, word by word.
    private struct Choice {
        let request: ReportRequest
        /// Nil when nothing was said.
        let metrics: [ReportMetric]?
        let format: Format
        let comparison: ComparisonRequest?
        let experiment: ExperimentRequest?
        let isChanged: Bool
        let classes: ErrorClasses
        let output: String?
    }

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let choice = Choice(
            request: try ScopeOptions.request(arguments), metrics: try metrics(arguments),
            format: try format(arguments), comparison: try comparison(arguments),
            experiment: try experiment(arguments), isChanged: arguments.flag("changed"),
            classes: try CommonOptions.errorClasses(arguments), output: arguments.text("output"))
        if choice.format == .html,
            choice.metrics != nil || choice.comparison != nil || choice.isChanged || choice.experiment != nil
        {
            throw CommandError(
                .usage,
                "--format html is one page with everything: leave --metric, --compare, --adjust and --changed out")
        }
        let store = try CommonOptions.store(arguments)
        let texts = try CommandFailure.translated {
            let maker = ReportMaker(store: try store.reports(CommonOptions.data(arguments)))
            return try render(choice, maker)
        }
        try write(texts, choice)
        return .success
    }

    /// The texts that were asked for, each with its file's name.
    private static func render(_ choice: Choice, _ maker: ReportMaker) throws -> [(name: String, text: String)] {
        if choice.format == .html {
            return [("report", HTMLRenderer.render(try maker.page(choice.request, choice.classes)))]
        }
        let isForMachines = choice.format == .csv || choice.format == .json
        // Who compares for a machine and names no table wants the comparison's alone.
        if let experiment = choice.experiment {
            let report = try maker.experiment(choice.request, experiment)
            if isForMachines { return [("experiment", machineText(report.table(), choice.format))] }
            var document = try maker.document([], choice.request)
            document.experiment = report
            return [("report", text(document, choice.format, isTerminal: choice.output == nil && isatty(1) == 1))]
        }
        let isAloneTable = choice.comparison != nil || choice.isChanged
        let metrics = choice.metrics ?? (isForMachines && isAloneTable ? [] : [.summary])
        var page: ReportPage?
        if !isForMachines, choice.metrics == nil, choice.comparison == nil {
            page = try maker.page(choice.request, choice.classes, isForSentences: true)
        }
        var document: ReportDocument
        if let page, !choice.request.isByDay {
            // The plays are read already.
            document = page.whole
            (document.metrics, document.comparison) = (metrics, nil)
        } else {
            document = try maker.document(
                metrics, choice.request, comparing: choice.comparison, tellsSamples: choice.format != .csv)
        }
        document.sentences = page?.sentences ?? []
        if choice.isChanged { document.changed = try maker.changed(choice.request, choice.classes) }
        guard isForMachines || choice.output != nil else {
            return [("report", text(document, choice.format, isTerminal: isatty(1) == 1))]
        }
        var texts: [(name: String, text: String)] = []
        for metric in metrics {
            document.metrics = [metric]
            let comparison = document.comparison
            document.comparison = isForMachines ? nil : comparison
            texts.append((metric.rawValue, text(document, choice.format, isTerminal: false)))
            document.comparison = comparison
        }
        if isForMachines, let comparison = document.comparison {
            texts.append(("compare", machineText(comparison.table(), choice.format)))
        }
        if isForMachines, let changed = document.changed {
            let table = changed.table(choice.request, asOf: document.plays.asOf)
            texts.append(("changed", machineText(table, choice.format)))
        }
        return texts
    }

    private static func text(_ document: ReportDocument, _ format: Format, isTerminal: Bool) -> String {
        switch format {
        case .markdown: return MarkdownRenderer.render(document)
        case .csv, .json: return document.tables.map { machineText($0, format) }.joined()
        case .table, .html:
            let isPlain = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
            return TextTableRenderer.render(
                document, tableWidth: isTerminal ? Terminal.width : nil, usesColour: isTerminal && !isPlain)
        }
    }

    private static func machineText(_ table: ReportTable, _ format: Format) -> String {
        format == .json ? JSONRenderer.render(table) : CSVRenderer.render(table)
    }

    private static func write(_ texts: [(name: String, text: String)], _ choice: Choice) throws(CommandError) {
        guard let output = choice.output else {
            guard texts.count == 1 else {
                throw CommandError(
                    .usage,
                    "\(texts.count) tables as \(choice.format.rawValue) are several files: name a folder with --output")
            }
            try StandardOutput.write(texts[0].text)
            return
        }
        guard texts.count > 1 else { return try OutputFile.write(texts[0].text, to: output) }
        try OutputFile.makeFolder(output)
        for (name, text) in texts { try OutputFile.write(text, to: "\(output)/\(name).\(choice.format.suffix)") }
    }

    // MARK: Words

    private static func metrics(_ arguments: Arguments) throws(CommandError) -> [ReportMetric]? {
        guard let name = arguments.text("metric") else { return nil }
        if name == "all" { return ReportMetric.allCases }
        guard let metric = ReportMetric(rawValue: name) else {
            let known = ReportMetric.allCases.map(\.rawValue) + ["all"]
            throw arguments.fault("metric", "should be one of \(known.joined(separator: ", "))")
        }
        return [metric]
    }

    private static func experiment(_ arguments: Arguments) throws(CommandError) -> ExperimentRequest? {
        let name = arguments.text("compare").flatMap { $0.utf8.contains(UInt8(ascii: "=")) ? $0 : nil }
        let (isSequential, since) = (arguments.flag("sequential"), arguments.text("since"))
        guard let name else {
            guard !isSequential, since == nil else {
                throw CommandError(.usage, "--sequential and --since go with --compare DIM=VALUE, such as tag:arm=a")
            }
            return nil
        }
        guard isSequential, let since else {
            throw CommandError(.usage, "--compare \(name) is an experiment: it needs --sequential and --since DAY")
        }
        guard let day = CalendarDay(since) else { throw arguments.fault("since", "should be a day such as 2026-11-29") }
        for word in ["day", "from", "to", "last"] where arguments.isSaid(word) {
            throw CommandError(.usage, "an experiment goes from --since to the newest play: leave --\(word) out")
        }
        let words = ["by", "adjust", "metric", "sort", "limit", "percentiles", "error-classes", "changed"]
        for word in words where arguments.isSaid(word) {
            throw CommandError(.usage, "an experiment is a report of its own: leave --\(word) out")
        }
        do throws(ReportRequestError) {
            return try ExperimentRequest(name, since: day)
        } catch {
            throw CommandError(.usage, "--compare: \(error.description)")
        }
    }

    private static func format(_ arguments: Arguments) throws(CommandError) -> Format {
        guard let format = Format(rawValue: arguments.text("format") ?? "") else {
            throw arguments.fault("format", "should be one of \(Format.names)")
        }
        return format
    }

    private static func comparison(_ arguments: Arguments) throws(CommandError) -> ComparisonRequest? {
        guard let name = arguments.text("compare") else {
            guard arguments.text("adjust") == nil else {
                throw CommandError(.usage, "--adjust goes with --compare previous or --compare rest")
            }
            return nil
        }
        guard !name.utf8.contains(UInt8(ascii: "=")) else { return nil }
        guard ComparisonReference(rawValue: name) != nil else {
            throw arguments.fault("compare", "should be previous, rest, or DIM=VALUE for an experiment")
        }
        do {
            return try ComparisonRequest(words: name, adjust: arguments.text("adjust"))
        } catch {
            throw CommandError(.usage, "--adjust: \(error)")
        }
    }
}
