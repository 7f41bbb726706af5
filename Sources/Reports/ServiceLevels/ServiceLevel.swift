internal import Suggestions

/// A promise about a column of `summary.csv`: `start: startup_p95_ms < 1000 by cdnRegion where network=wifi`.
package struct ServiceLevel: Sendable, Hashable {
    /// How a figure that keeps the promise stands to the limit.
    package enum Relation: String, Sendable, CaseIterable {
        case below = "<"
        case atMost = "<="
        case above = ">"
        case atLeast = ">="

        /// Whether low figures are the good ones.
        var isUpperLimit: Bool { self == .below || self == .atMost }

        func holds(_ value: Double, _ limit: Double) -> Bool {
            switch self {
            case .below: value < limit
            case .atMost: value <= limit
            case .above: value > limit
            case .atLeast: value >= limit
            }
        }
    }

    /// Its own in its file; without one `level-` and the line.
    package var name: String
    package var column: String
    package var relation: Relation
    package var limit: Double
    /// Each group keeps the promise for itself; none: all plays together.
    package var dimensions: [PlayDimension]
    package var filters: [PlayFilter]
    /// So much time until now is judged, where nothing else says which; nil where the level says nothing.
    package var window: TimeSpan?
    /// It has to be broken for so long before anybody is told.
    package var patience: TimeSpan?
    /// The line as it was written, without its comment.
    package var text: String
    /// Where it stands in its file, from 1.
    package var line: Int

    /// Reads a file of service levels, one a line; `#` begins a comment at a line's start or after a blank outside quotes.
    ///
    /// - Throws: the first line that is none, and what would be right.
    package static func parse(_ text: String) throws(ReportRequestError) -> [ServiceLevel] {
        var levels: [ServiceLevel] = []
        var lines: [String: Int] = [:]
        // A line that ends in CR LF is one Character, so lines are told by scalars.
        // Some editors begin a file with a byte order mark.
        let scalars = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        for (index, line) in scalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            do {
                let line = try LevelLine(line)
                guard !line.words.isEmpty else { continue }
                let level = try ServiceLevel(line, number: index + 1)
                if let first = lines.updateValue(index + 1, forKey: level.name) {
                    throw ReportRequestError("'\(level.name)' is the name of the level in line \(first), too")
                }
                levels.append(level)
            } catch {
                throw ReportRequestError("line \(index + 1): \(error)")
            }
        }
        return levels
    }

    private init(_ line: LevelLine, number: Int) throws(ReportRequestError) {
        var words = line.words[...]
        name = "level-\(number)"
        if let first = words.first?.text, first.hasSuffix(":") {
            name = String(first.dropLast())
            guard !name.isEmpty else { throw ReportRequestError("no name before ':': NAME: COLUMN < NUMBER") }
            words.removeFirst()
        }
        let promise = words.prefix(3).map(\.text)
        // The sign may stand apart.
        let sign = words.count > 3 && words[words.startIndex + 3].text == "%" ? "%" : ""
        guard promise.count == 3, let relation = Relation(rawValue: promise[1]),
            let (limit, isPercent) = Self.number(promise[2] + sign)
        else {
            throw ReportRequestError(
                "'\(line.text)' is no service level: [NAME:] COLUMN <|<=|>|>= NUMBER[%], "
                    + "then 'by DIM,…', 'where DIM=VALUE and …', 'over 1h' and 'for 10m' if wanted")
        }
        guard GroupFigures.levelColumns[promise[0]] != nil else {
            let known = GroupFigures.levelColumns.keys.sorted()
            let nearest = Spelling.nearest(to: promise[0], among: known)
            throw ReportRequestError(
                "no column '\(promise[0])': "
                    + (nearest.map { "did you mean '\($0)'?" } ?? "the numbers of summary.csv"))
        }
        column = promise[0]
        guard !isPercent || column.hasSuffix("_ratio") else {
            throw ReportRequestError(
                "'\(promise[2] + sign)': a percentage is a limit of ratios alone, and \(column) is none")
        }
        self.relation = relation
        self.limit = limit
        text = line.text
        self.line = number
        dimensions = []
        filters = []
        words = words.dropFirst(3 + sign.count)
        patience = try Self.span("for", &words)
        window = try Self.span("over", &words)
        if words.first?.text == "by" {
            guard words.count >= 2 else { throw ReportRequestError("no dimension after 'by'") }
            let clause = words.dropFirst().prefix { $0.text != "where" }
            dimensions = try PlayDimension.list(clause.map(\.text).joined())
            guard !dimensions.contains(.day) else {
                throw ReportRequestError("a service level goes by groups of plays, not by day: choose days with --day")
            }
            words = words.dropFirst(1 + clause.count)
        }
        if words.first?.text == "where" {
            filters = try Self.filters(words.dropFirst())
            words = []
        }
        if let word = words.first {
            throw ReportRequestError(
                "'\(word.text)' after the number: 'by DIM,…', 'where DIM=VALUE', 'over 1h' and 'for 10m' stand there, "
                    + "in this order")
        }
    }

    /// Takes `over 1h` or `for 10m` from the end of a line.
    private static func span(
        _ name: String, _ words: inout ArraySlice<LevelLine.Word>
    ) throws(ReportRequestError) -> TimeSpan? {
        guard words.count >= 2, let last = words.last, !last.isQuoted else { return nil }
        let before = words[words.endIndex - 2]
        guard !before.isQuoted, before.text == name else { return nil }
        let span: TimeSpan
        do {
            span = try TimeSpan(last.text)
        } catch {
            // In a value without quotes the word may be another than this.
            if words.contains(where: { $0.text == "where" }) { return nil }
            throw ReportRequestError("after '\(name)' \(error)")
        }
        words.removeLast(2)
        return span
    }
}

extension ServiceLevel {
    /// A limit, and whether it was written as a percentage.
    private static func number(_ text: String) -> (Double, isPercent: Bool)? {
        let isPercent = text.hasSuffix("%")
        let digits = isPercent ? String(text.dropLast()) : text
        guard var number = Double(digits), number.isFinite else { return nil }
        // 0.7 ÷ 100 is not the number nearest to 0.007.
        if isPercent { number = Double(digits + "e-2") ?? number / 100 }
        return (number, isPercent)
    }

    /// Conditions begin after `and` and at each word with a `=`; what else follows belongs to the value before it.
    private static func filters(_ words: ArraySlice<LevelLine.Word>) throws(ReportRequestError) -> [PlayFilter] {
        var conditions: [[LevelLine.Word]] = [[]]
        for word in words {
            if !word.isQuoted, word.text == "and" {
                conditions.append([])
            } else if word.text.contains("="), conditions.last?.isEmpty == false {
                conditions.append([word])
            } else if let quoted = conditions.last?.last, quoted.isQuoted {
                throw ReportRequestError("'\(word.text)' after a value in quotes: 'and' or DIM=VALUE stands there")
            } else {
                conditions[conditions.count - 1].append(word)
            }
        }
        var filters: [PlayFilter] = []
        for condition in conditions {
            try checkOrder(condition[...])
            let text = condition.map(\.text).joined(separator: " ")
            let isQuoted = condition.contains(where: \.isQuoted)
            filters.append(isQuoted ? try PlayFilter(exactly: text) : try PlayFilter(text))
        }
        return filters
    }

    /// A value without quotes may hold blanks, and so would swallow the groups that stand after it.
    private static func checkOrder(_ condition: ArraySlice<LevelLine.Word>) throws(ReportRequestError) {
        guard let position = condition.firstIndex(where: { $0.text == "by" }), position > condition.startIndex else {
            return
        }
        let clause = condition[position...].dropFirst().map(\.text)
        guard !clause.isEmpty, (try? PlayDimension.list(clause.joined())) != nil else { return }
        throw ReportRequestError("'by \(clause.joined(separator: " "))' stands before 'where'")
    }
}

/// A line of a file of service levels as its words, without its comment.
///
/// Blanks part words, outside of double quotes. A value in quotes follows `=` at once; a quote inside it is written twice.
struct LevelLine {
    struct Word {
        /// Without the quotes round its value.
        var text: String
        /// It ends with a value in quotes, to which nothing more belongs.
        var isQuoted = false
    }

    private(set) var words: [Word] = []
    /// The line as it was written, without comment and blanks round it.
    private(set) var text = ""

    /// - Throws: where a quote is not closed, or not followed by a blank.
    init(_ line: some Sequence<Unicode.Scalar>) throws(ReportRequestError) {
        var rest = Array(line)[...]
        let whole = rest
        var end = rest.startIndex
        while true {
            rest = rest.drop { $0.properties.isWhitespace }
            guard let first = rest.first, first != "#" else { break }
            words.append(try Self.word(&rest))
            end = rest.startIndex
        }
        text = Self.string(whole[..<end].drop { $0.properties.isWhitespace })
    }

    private static func word(_ rest: inout ArraySlice<Unicode.Scalar>) throws(ReportRequestError) -> Word {
        var scalars: [Unicode.Scalar] = []
        while let next = rest.first, !next.properties.isWhitespace {
            rest.removeFirst()
            guard next == "\"", scalars.last == "=", !scalars.dropLast().contains("=") else {
                scalars.append(next)
                continue
            }
            scalars += try quoted(&rest, after: scalars)
            guard rest.first?.properties.isWhitespace != false else {
                throw ReportRequestError(
                    "a blank follows a value in quotes, not '\(string(rest.prefix { !$0.properties.isWhitespace }))'; "
                        + "a quote inside a value is written twice")
            }
            return Word(text: string(scalars), isQuoted: true)
        }
        return Word(text: string(scalars))
    }

    /// What stands between the quote that has been read and its partner.
    private static func quoted(
        _ rest: inout ArraySlice<Unicode.Scalar>, after start: [Unicode.Scalar]
    ) throws(ReportRequestError) -> [Unicode.Scalar] {
        var value: [Unicode.Scalar] = []
        while let next = rest.popFirst() {
            guard next == "\"" else {
                value.append(next)
                continue
            }
            guard rest.first == "\"" else { return value }
            value.append(rest.removeFirst())
        }
        throw ReportRequestError("the quote after '\(string(start))' is not closed")
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
