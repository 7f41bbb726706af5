internal import CommandLineTool
internal import Reports

/// The options that say which plays a report covers and how it is cut.
enum ScopeOptions {
    static let timeZone = Option(
        "time-zone", "ZONE", environment: "QOE_TIME_ZONE", initial: "UTC",
        help: "Whose days and hours they are, such as Europe/Stockholm.")
    static let by = Option(
        "by", "DIM,…", initial: "cdnRegion",
        help: "One to three of \(PlayDimension.names.joined(separator: ", ")). With day there is a period a day.")
    static let targetMs = Option(
        "target-ms", "MS", initial: "1000", help: "The startup that is still within the target, in ms.")

    static let days = [
        Option("day", "DAY", help: "One day, such as 2026-11-29, yesterday or today, in the report's time zone."),
        Option("from", "DAY", help: "The first day of a range; needs --to."),
        Option("to", "DAY", help: "The last day of a range, included; needs --from."),
        timeZone,
    ]

    static let all =
        days + [
            by,
            Option(
                "where", "DIM=VALUE", repeats: true,
                help: "Only plays with that value; DIM!=VALUE only those without it. \"DIM=(unknown)\" works."),
            targetMs,
        ]

    /// The report that the words ask for; what the command has no option for is as if nothing were said.
    static func request(_ arguments: Arguments) throws(CommandError) -> ReportRequest {
        func text(_ name: String) -> String? { arguments.declares(name) ? arguments.text(name) : nil }
        // The one of these words that may come from the environment.
        if let zone = text("time-zone") {
            do { _ = try ReportZone(named: zone) } catch { throw arguments.fault("time-zone", said: "\(error)") }
        }
        var words = ReportWords()
        words.day = text("day")
        words.from = text("from")
        words.to = text("to")
        words.timeZone = text("time-zone")
        words.by = text("by")
        words.filters = arguments.declares("where") ? arguments.all("where") : []
        words.targetMs = text("target-ms")
        words.percentiles = text("percentiles")
        do {
            return try words.request(now: WallClock.now())
        } catch {
            throw CommandError(.usage, error.description)
        }
    }
}
