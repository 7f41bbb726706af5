/// One `--where`: the plays with, or without, a value of a dimension, or one of several.
package struct PlayFilter: Sendable, Hashable {
    package let dimension: PlayDimension
    /// As it was said: the value looked for, or several with commas between them.
    package let value: String
    /// The values any of which a play may have; the dimension's own word for "no value" stands for plays without one.
    package let alternatives: [String]
    /// `DIM!=VALUE`: all other plays, those without a value among them.
    package let isNegated: Bool

    /// - Parameter value: one value, commas in it are its own.
    package init(_ dimension: PlayDimension, _ value: String, isNegated: Bool = false) {
        self.init(dimension, value, alternatives: [value], isNegated: isNegated)
    }

    private init(_ dimension: PlayDimension, _ value: String, alternatives: [String], isNegated: Bool) {
        self.dimension = dimension
        self.value = value
        self.alternatives = alternatives
        self.isNegated = isNegated
    }

    /// Reads `DIM=VALUE`, `DIM=VALUE,VALUE` or `DIM!=VALUE`.
    ///
    /// A value in double quotes is taken as it stands, a quote inside it twice. Without quotes a text with commas means
    /// each of its parts, and itself too: names of devices hold commas.
    ///
    /// - Throws: what is wrong with the text, and what would be right.
    package init(_ text: String) throws(ReportRequestError) {
        let (dimension, value, isNegated) = try Self.parts(text)
        var alternatives: [String] = []
        let parts = Self.split(value)
        if parts.count > 1, !parts.contains(where: \.isQuoted), Self.isPossible(value, of: dimension) {
            alternatives.append(value)
        }
        for part in parts {
            try Self.check(part.text, of: dimension, isNegated: isNegated)
            alternatives.append(part.text)
        }
        self.init(dimension, value, alternatives: alternatives, isNegated: isNegated)
    }

    /// Reads `DIM=VALUE` or `DIM!=VALUE` with one value that stands as it is, whatever is in it.
    ///
    /// - Throws: what is wrong with the text, and what would be right.
    package init(exactly text: String) throws(ReportRequestError) {
        let (dimension, value, isNegated) = try Self.parts(text)
        try Self.check(value, of: dimension, isNegated: isNegated)
        self.init(dimension, value, isNegated: isNegated)
    }

    private static func parts(
        _ text: String
    ) throws(ReportRequestError) -> (dimension: PlayDimension, value: String, isNegated: Bool) {
        // A sign and a mark that combines with it are one Character.
        guard let sign = text.unicodeScalars.firstIndex(of: "=") else {
            throw ReportRequestError("'\(text)' chooses no plays: DIM=VALUE or DIM!=VALUE, such as network=wifi")
        }
        var name = text[..<sign]
        let isNegated = name.hasSuffix("!")
        if isNegated { name.removeLast() }
        let value = String(text.unicodeScalars[text.unicodeScalars.index(after: sign)...])
        return (try PlayDimension(named: String(name)), value, isNegated)
    }

    /// The parts between commas that are outside of quotes.
    private static func split(_ text: String) -> [(text: String, isQuoted: Bool)] {
        var parts: [(text: String, isQuoted: Bool)] = []
        var rest = Array(text.unicodeScalars)[...]
        while true {
            if let quoted = quoted(rest) {
                parts.append((string(quoted.value), true))
                rest = quoted.rest
            } else {
                let part = rest.prefix { $0 != "," }
                parts.append((string(part), false))
                rest = rest.dropFirst(part.count)
            }
            guard !rest.isEmpty else { return parts }
            rest.removeFirst()
        }
    }

    /// A value in quotes that ends at a comma or with the text; nil for any other beginning.
    private static func quoted(
        _ text: ArraySlice<Unicode.Scalar>
    ) -> (value: [Unicode.Scalar], rest: ArraySlice<Unicode.Scalar>)? {
        guard text.first == "\"" else { return nil }
        var (value, rest): ([Unicode.Scalar], _) = ([], text.dropFirst())
        while let next = rest.popFirst() {
            if next == "\"" {
                guard rest.first == "\"" else { return rest.isEmpty || rest.first == "," ? (value, rest) : nil }
                rest.removeFirst()
            }
            value.append(next)
        }
        return nil
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private static func isPossible(_ value: String, of dimension: PlayDimension) -> Bool {
        (try? check(value, of: dimension, isNegated: false)) != nil
    }

    private static func check(
        _ value: String, of dimension: PlayDimension, isNegated: Bool
    ) throws(ReportRequestError) {
        guard !value.isEmpty else {
            let start = dimension.name + (isNegated ? "!=" : "=")
            throw ReportRequestError(
                "no value after '\(start)' or a comma: for plays \(isNegated ? "with" : "without") one "
                    + "'\(start)\(dimension.absent)'")
        }
        switch dimension {
        case .day where CalendarDay(value) == nil:
            throw ReportRequestError("'\(value)' is no day: YYYY-MM-DD, such as 2026-11-29")
        case .hour where LocalHour(label: value) == nil:
            throw ReportRequestError("'\(value)' is no hour: as the report prints it, such as 2026-11-29T20:00+01:00")
        case _ where value.hasPrefix("(") && value != dimension.absent:
            throw ReportRequestError(
                "no value of '\(dimension.name)' begins with '(' but '\(dimension.absent)', for plays without one")
        default: break
        }
    }
}

extension PlayFilter: CustomStringConvertible {
    /// `network=wifi,cellular`.
    package var description: String { dimension.name + (isNegated ? "!=" : "=") + value }
}

extension PlayFilter {
    /// Values are compared as bytes, as everywhere: two ways to write é are two values.
    package static func == (one: PlayFilter, other: PlayFilter) -> Bool {
        one.dimension == other.dimension && one.isNegated == other.isNegated
            && one.alternatives.elementsEqual(other.alternatives) { $0.utf8.elementsEqual($1.utf8) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(dimension)
        hasher.combine(isNegated)
        for value in alternatives {
            for byte in value.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8(0xFF))
        }
    }
}

extension PlayFilter {
    package var isAboutTime: Bool { dimension == .day || dimension == .hour }

    /// The times of plays that days or hours stand for, ms since 1970; without those that no play can be in.
    package func times(in zone: ReportZone) -> [Range<Int64>] {
        alternatives.compactMap { times(of: $0, in: zone) }
    }

    private func times(of value: String, in zone: ReportZone) -> Range<Int64>? {
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
