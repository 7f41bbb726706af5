internal import CommandLineTool
internal import Platform
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

    static let filter = Option(
        "where", "DIM=VALUE", repeats: true,
        help: "Only plays with that value, or with one of several: DIM=A,B; DIM!=VALUE only those without it. "
            + "DIM=(unknown) works, and in double quotes a comma is the value's own.")

    static let days = [
        Option("day", "DAY", help: "One day, such as 2026-11-29, yesterday or today, in the report's time zone."),
        Option(
            "from", "DAY|TIME",
            help: "The first day of a range, or the time at which it begins, such as 2026-11-29T18:00Z."),
        Option(
            "to", "DAY|TIME",
            help: "The last day of the range, included, or the time before which it ends; today, or now, without it."),
        Option("last", "15m|6h|7d", help: "So many minutes, hours or days until now, with the minute under way."),
        timeZone,
    ]

    static let all =
        days + [
            by,
            filter,
            targetMs,
        ]

    static let groups = [
        Option("sort", "COLUMN", help: "Orders groups by this column of numbers, the largest first."),
        Option("limit", "N", help: "Shows so many groups of a period, the first ones; (all) has the plays of all."),
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
        words.last = text("last")
        words.timeZone = text("time-zone")
        words.by = text("by")
        words.filters = arguments.declares("where") ? arguments.all("where") : []
        words.targetMs = text("target-ms")
        words.percentiles = text("percentiles")
        words.sort = text("sort")
        words.limit = text("limit")
        do {
            return try words.request(now: WallClock.now())
        } catch {
            throw CommandError(.usage, error.description)
        }
    }
}
