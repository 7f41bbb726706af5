/// A row a group: a dot at the figure, a whisker over its interval.
///
/// Places are percentages of the picture's width, so that text keeps its size on every screen.
struct IntervalChart {
    struct Mark {
        var value: Double
        var low: Double?
        var high: Double?
    }

    struct Row {
        var name: String
        var one: Mark?
        /// A second figure, drawn as a square.
        var two: Mark?
        /// The numbers in words.
        var text: String
    }

    var title: String
    var rows: [Row]
    /// How a value of the axis is written.
    var label: (Double) -> String

    private static let rowHeight = 44.0

    func svg() -> HTML {
        let marks = rows.flatMap { [$0.one, $0.two] }.compactMap { $0 }
        let values = marks.map(\.value)
        // A whisker may be far longer than all figures: it is cut at the edge, and the table has its end.
        let whiskers = marks.compactMap(\.high).map { min($0, 2.5 * (values.max() ?? 0)) }
        let scale = Scale(upTo: (values + whiskers).max() ?? 0)
        let bottom = Double(rows.count) * Self.rowHeight + 4
        let lines = scale.ticks.map { tick -> HTML in
            let x = scale.percent(tick)
            let anchor: HTML = x < 1 ? "start" : x > 99 ? "end" : "middle"
            return """
                <line class="grid" x1="\(x)%" x2="\(x)%" y1="0" y2="\(bottom)"/>
                <text class="quiet" x="\(x)%" y="\(bottom + 16)" text-anchor="\(anchor)">\(label(tick))</text>

                """
        }
        let drawn = rows.enumerated().map { index, row -> HTML in
            let top = Double(index) * Self.rowHeight
            return """
                <text x="0" y="\(top + 14)"><tspan class="title">\(row.name)</tspan>\
                <tspan class="quiet" dx="8">\(row.text)</tspan></text>
                \(row.one.map { Self.mark($0, scale, y: top + 26, isSquare: false) } ?? .nothing)\
                \(row.two.map { Self.mark($0, scale, y: top + 36, isSquare: true) } ?? .nothing)

                """
        }
        return """
            <svg role="img" aria-label="\(title)" height="\(bottom + 24)">
            \(lines)\(drawn)</svg>

            """
    }

    private static func mark(_ mark: Mark, _ scale: Scale, y: Double, isSquare: Bool) -> HTML {
        let x = scale.percent(mark.value)
        let kind: HTML = isSquare ? "two" : "one"
        var whisker = HTML.nothing
        if mark.low != nil || mark.high != nil {
            let from = scale.percent(mark.low ?? mark.value)
            let to = scale.percent(mark.high ?? mark.value)
            whisker = "<line class=\"whisker \(kind)\" x1=\"\(from)%\" x2=\"\(to)%\" y1=\"\(y)\" y2=\"\(y)\"/>"
        }
        // Squares are drawn by a short thick line: only lines take a percentage and no offset.
        let dot: HTML =
            isSquare
            ? "<svg x=\"\(x)%\" y=\"\(y - 4)\" width=\"1\" height=\"8\" overflow=\"visible\"><rect class=\"mark two\" x=\"-4\" width=\"8\" height=\"8\"/></svg>"
            : "<circle class=\"mark one\" cx=\"\(x)%\" cy=\"\(y)\" r=\"4\"/>"
        return "\(whisker)\(dot)"
    }
}
