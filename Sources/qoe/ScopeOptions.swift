internal import CommandLineTool
import Foundation
internal import Reports

/// The options that say which plays a report covers and how it is cut.
enum ScopeOptions {
    static let all = [
        Option("day", "DAY", help: "One day, such as 2026-11-29, or yesterday, in the report's time zone."),
        Option("from", "DAY", help: "The first day of a range; needs --to."),
        Option("to", "DAY", help: "The last day of a range, included."),
        Option(
            "time-zone", "ZONE", environment: "QOE_TIME_ZONE", initial: "UTC",
            help: "Whose days and hours they are, such as Europe/Stockholm."),
        Option(
            "by", "DIM,…", initial: "cdnRegion",
            help: "One to three of \(PlayDimension.names.joined(separator: ", ")). With day there is a period a day."),
        Option(
            "where", "DIM=VALUE", repeats: true,
            help: "Only plays with that value; DIM!=VALUE only those without it. \"DIM=(unknown)\" works."),
        Option("target-ms", "MS", initial: "1000", help: "The startup that is still within the target, in ms."),
    ]

    /// - Parameter now: when "yesterday" is looked up, ms since 1970.
    static func request(_ arguments: Arguments, now: Int64) throws -> ReportRequest {
        do {
            let zone = try ReportZone(named: arguments.text("time-zone") ?? "UTC")
            return ReportRequest(
                days: try days(arguments, zone: zone, now: now),
                by: try PlayDimension.list(arguments.text("by") ?? ""),
                filters: try arguments.all("where").map { try PlayFilter($0) },
                zone: zone,
                targetMs: Int64(try arguments.int("target-ms", in: 0...3_600_000) ?? 1_000))
        } catch let error as ReportRequestError {
            throw CommandError(.usage, error.description)
        }
    }

    private static func days(
        _ arguments: Arguments, zone: ReportZone, now: Int64
    ) throws(CommandError) -> ReportRequest.Days {
        if arguments.text("day") != nil {
            if let other = ["from", "to"].first(where: { arguments.text($0) != nil }) {
                throw CommandError(
                    .usage, "--day and --\(other) don't go together: --day is one day, --from and --to a range")
            }
            return .day(try day("day", arguments, zone: zone, now: now))
        }
        switch (arguments.text("from"), arguments.text("to")) {
        case (nil, nil): return .all
        case (nil, _): throw CommandError(.usage, "--to needs --from, the first day of the range")
        case (_, nil): throw CommandError(.usage, "--from needs --to, the last day of the range")
        default:
            let from = try day("from", arguments, zone: zone, now: now)
            let to = try day("to", arguments, zone: zone, now: now)
            guard from <= to else { throw CommandError(.usage, "--from \(from) is after --to \(to)") }
            return .range(from, to)
        }
    }

    private static func day(
        _ name: String, _ arguments: Arguments, zone: ReportZone, now: Int64
    ) throws(CommandError) -> CalendarDay {
        let text = arguments.text(name) ?? ""
        if text == "yesterday" { return zone.day(of: now).advanced(by: -1) }
        guard let day = CalendarDay(text) else {
            throw arguments.fault(name, "should be a day such as 2026-11-29, or yesterday")
        }
        return day
    }
}
