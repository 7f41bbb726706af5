/// One `--where`: the plays with, or without, a value of a dimension.
package struct PlayFilter: Sendable, Hashable {
    package let dimension: PlayDimension
    /// The value looked for; the dimension's own word for "no value" stands for plays without one.
    package let value: String
    /// `DIM!=VALUE`: all other plays, those without a value among them.
    package let isNegated: Bool

    package init(_ dimension: PlayDimension, _ value: String, isNegated: Bool = false) {
        self.dimension = dimension
        self.value = value
        self.isNegated = isNegated
    }

    /// Reads `DIM=VALUE` or `DIM!=VALUE`.
    ///
    /// - Throws: what is wrong with the text, and what would be right.
    package init(_ text: String) throws(ReportRequestError) {
        // A sign and a mark that combines with it are one Character.
        guard let sign = text.unicodeScalars.firstIndex(of: "=") else {
            throw ReportRequestError("'\(text)' chooses no plays: DIM=VALUE or DIM!=VALUE, such as network=wifi")
        }
        var name = text[..<sign]
        let isNegated = name.hasSuffix("!")
        if isNegated { name.removeLast() }
        let value = String(text.unicodeScalars[text.unicodeScalars.index(after: sign)...])
        let dimension = try PlayDimension(named: String(name))
        try self.init(checking: dimension, value, isNegated: isNegated)
    }

    private init(checking dimension: PlayDimension, _ value: String, isNegated: Bool) throws(ReportRequestError) {
        guard !value.isEmpty else {
            let start = dimension.name + (isNegated ? "!=" : "=")
            throw ReportRequestError(
                "no value after '\(start)': for plays \(isNegated ? "with" : "without") one '\(start)\(dimension.absent)'"
            )
        }
        switch dimension {
        case .day where CalendarDay(value) == nil:
            throw ReportRequestError("'\(value)' is no day: YYYY-MM-DD, such as 2026-11-29")
        case .hour where LocalHour(label: value) == nil:
            throw ReportRequestError("'\(value)' is no hour: as the report prints it, such as 2026-11-29T20:00+01:00")
        case _ where value.hasPrefix("(") && value != dimension.absent:
            throw ReportRequestError(
                "no value of '\(dimension.name)' begins with '(' but '\(dimension.absent)', for plays without one")
        default:
            self.init(dimension, value, isNegated: isNegated)
        }
    }
}

extension PlayFilter {
    /// Values are compared as bytes, as everywhere: two ways to write é are two values.
    package static func == (one: PlayFilter, other: PlayFilter) -> Bool {
        one.dimension == other.dimension && one.isNegated == other.isNegated
            && one.value.utf8.elementsEqual(other.value.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(dimension)
        hasher.combine(isNegated)
        for byte in value.utf8 { hasher.combine(byte) }
    }
}

extension PlayFilter {
    package var isAboutTime: Bool { dimension == .day || dimension == .hour }

    /// The times of plays that a day or an hour stands for, ms since 1970; nil when no play can be in it.
    package func times(in zone: ReportZone) -> Range<Int64>? {
        if dimension == .day { return CalendarDay(value).map { zone.range(from: $0, to: $0) } }
        guard let hour = LocalHour(label: value) else { return nil }
        // The part of a wall clock's hour in which the zone has the hour's offset.
        var start = hour.start
        for stretch in zone.stretches(in: start..<start + millisecondsPerHour) {
            let end = min(stretch.end, hour.start + millisecondsPerHour)
            if stretch.offset == hour.offset, start < end { return start..<end }
            start = max(start, end)
        }
        return nil
    }
}
