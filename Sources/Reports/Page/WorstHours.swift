/// The hours of a day in which most of a group's trouble came: of all runs of hours the one with the most beyond what it
/// would have been at the others' rate.
struct WorstHours: Sendable, Equatable {
    let first: LocalHour
    let last: LocalHour

    /// - Parameters:
    ///   - hours: a group's figures by hour, in any order.
    ///   - comparison: what was worse on that day, and what it was for the others.
    /// - Returns: nil when the run is longer than half of the hours: that is no part of the day.
    init?(_ hours: [GroupFigures], _ comparison: Comparison) {
        guard let reference = comparison.reference else { return nil }
        let known = hours.compactMap { figures in
            LocalHour(label: figures.names.first ?? "").map { (hour: $0, figures: figures) }
        }.sorted { $0.hour.start < $1.hour.start }
        var best: (excess: Double, run: ClosedRange<Int>)?
        var (excess, start) = (0.0, 0)
        for (index, hour) in known.enumerated() {
            if excess <= 0 { (excess, start) = (0, index) }
            excess += hour.figures.excess(comparison.metric, over: reference)
            if excess > best?.excess ?? 0 { best = (excess, start...index) }
        }
        guard let run = best?.run, run.count * 2 <= known.count else { return nil }
        first = known[run.lowerBound].hour
        last = known[run.upperBound].hour
    }

    /// `from 18:00 to 22:00`.
    var text: String {
        let end = LocalHour(wallClock: last.wallClock + millisecondsPerHour, offset: last.offset).clock
        return "from \(first.clock) to \(end == "00:00" ? "24:00" : end)"
    }
}

extension LocalHour {
    /// `18:00`.
    fileprivate var clock: String { String(label.dropFirst(11).prefix(5)) }
}
