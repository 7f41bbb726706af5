internal import Archive
internal import CommandLineTool
import Foundation
internal import PlayStore
internal import Reports

/// `qoe report`: figures out of the store.
enum ReportCommand {
    static let command = Command(
        "report", summary: "how video played: startup, rebuffering, failures, data and memory, by CDN region",
        options: [CommonOptions.data] + ScopeOptions.all + [
            Option(
                "metric", "NAME", initial: "summary",
                help: "One of \(ReportMetric.allCases.map(\.rawValue).joined(separator: ", ")), or all."),
            Option("format", "FORMAT", initial: "table", help: "One of \(Format.names)."),
            Option(
                "output", "PATH",
                help:
                    "Where to write instead of standard output: a file, or with --metric all a folder, made when it is "
                    + "not there."),
        ],
        notes: """
            Without --by the groups are the CDN regions, and without a range the period is all plays. The last row of
            a period, (all), is computed over its plays. A database is read beside a running server at any time.
            """)

    enum Format: String, CaseIterable {
        case table, csv, json

        static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

        /// What a file of it is called after the metric's name.
        var suffix: String { self == .table ? "txt" : rawValue }
    }

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let request = try ScopeOptions.request(arguments)
        let metrics = try metrics(arguments)
        let format = try format(arguments)
        let output = arguments.text("output")
        let isFolder = metrics.count > 1
        if isFolder, output == nil, format != .table {
            throw CommandError(
                .usage, "--metric all as \(format.rawValue) is several files: name a folder with --output")
        }
        let texts = try CommandFailure.translated {
            let maker = ReportMaker(store: try SQLiteReportStore(data: CommonOptions.data(arguments)))
            return try render(metrics, as: format, maker, request)
        }
        if let output, isFolder {
            try OutputFile.makeFolder(output)
            for (metric, text) in zip(metrics, texts) {
                try OutputFile.write(text, to: "\(output)/\(metric.rawValue).\(format.suffix)")
            }
        } else if let output {
            try OutputFile.write(texts[0], to: output)
        } else {
            try StandardOutput.write(texts.joined(separator: "\n"))
        }
        return .success
    }

    private static func render(
        _ metrics: [ReportMetric], as format: Format, _ maker: ReportMaker, _ request: ReportRequest
    ) throws -> [String] {
        var document = try maker.document(metrics, request)
        return metrics.map { metric in
            document.metrics = [metric]
            return switch format {
            case .table: TextTableRenderer.render(document)
            case .csv: CSVRenderer.render(document.table(metric))
            case .json: JSONRenderer.render(document.table(metric))
            }
        }
    }

    private static func metrics(_ arguments: Arguments) throws(CommandError) -> [ReportMetric] {
        let name = arguments.text("metric") ?? ""
        if name == "all" { return ReportMetric.allCases }
        guard let metric = ReportMetric(rawValue: name) else {
            let known = ReportMetric.allCases.map(\.rawValue) + ["all"]
            throw arguments.fault("metric", "should be one of \(known.joined(separator: ", "))")
        }
        return [metric]
    }

    private static func format(_ arguments: Arguments) throws(CommandError) -> Format {
        guard let format = Format(rawValue: arguments.text("format") ?? "") else {
            throw arguments.fault("format", "should be one of \(Format.names)")
        }
        return format
    }
}
