internal import Foundation

/// A row a group: a dot at the figure, a whisker over its interval.
///
/// Places are percentages of the picture's width, so that text keeps its size on every screen.
struct IntervalChart {
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
    var label: (Double) -> HumanNumber.Text

    /// So many characters of a name and its numbers stand beside each other on a telephone.
    private static let lineLength = 46
    private static let longestName = 40

    private var marks: [Mark] { rows.flatMap { [$0.one, $0.two] }.compactMap { $0 } }
    private var scale: Scale { Scale(for: marks) }

    /// Nothing to draw.
    var isEmpty: Bool { marks.isEmpty }
    /// What the caption has to say of ends that are not ends.
    var note: String { Whisker.note(marks, scale) }

    func svg() -> HTML {
        let scale = scale
        // Names stand over their numbers where one of both is long.
        let isHigh = rows.contains { $0.name.count + $0.text.count > Self.lineLength }
        let rowHeight = isHigh ? 60.0 : 44
        let bottom = Double(rows.count) * rowHeight + 4
        let lines = scale.ticks.map { tick -> HTML in
            let x = scale.percent(tick)
            return "<line class=\"grid\" x1=\"\(x)%\" x2=\"\(x)%\" y1=\"0\" y2=\"\(bottom)\"/>\n"
        }
        // On a telephone there is room for five of them.
        let named = scale.ticks.enumerated().filter { scale.ticks.count <= 5 || $0.offset % 2 == 0 }.map(\.element)
        let names = zip(named, Scale.labels(named, label)).map { tick, text -> HTML in
            let x = scale.percent(tick)
            let anchor: HTML = x < 1 ? "start" : x > 99 ? "end" : "middle"
            return """
                <text class="quiet" x="\(x)%" y="\(bottom + 16)" text-anchor="\(anchor)">\(text)</text>

                """
        }
        let drawn = rows.enumerated().map { index, row -> HTML in
            let top = Double(index) * rowHeight
            let name = row.name.cut(to: Self.longestName)
            let numbers: HTML =
                isHigh
                ? "<tspan class=\"quiet\" x=\"0\" dy=\"16\">\(row.text)</tspan>"
                : "<tspan class=\"quiet\" dx=\"8\">\(row.text)</tspan>"
            let first = top + rowHeight - 18
            return """
                <text x="0" y="\(top + 14)"><tspan class="title">\(name)</tspan>\(numbers)</text>
                \(row.one.map { Self.mark($0, scale, y: first, isSquare: false) } ?? .nothing)\
                \(row.two.map { Self.mark($0, scale, y: first + 10, isSquare: true) } ?? .nothing)

                """
        }
        return """
            <svg role="img" aria-label="\(title)" height="\(bottom + 24)">
            \(lines)\(names)\(drawn)</svg>

            """
    }

    private static func mark(_ mark: Mark, _ scale: Scale, y: Double, isSquare: Bool) -> HTML {
        let x = scale.percent(mark.value)
        let kind: HTML = isSquare ? "two" : "one"
        let whisker = Whisker(mark, scale).map { Self.whisker($0, x: x, y: y, kind) } ?? .nothing
        // Squares are drawn in a picture of their own: only that takes a percentage and an offset.
        let dot: HTML =
            isSquare
            ? "<svg x=\"\(x)%\" y=\"\(y - 4)\" width=\"1\" height=\"8\" overflow=\"visible\"><rect class=\"mark two\" x=\"-4\" width=\"8\" height=\"8\"/></svg>"
            : "<circle class=\"mark one\" cx=\"\(x)%\" cy=\"\(y)\" r=\"4\"/>"
        return "\(whisker)\(dot)"
    }

    private static func whisker(_ whisker: Whisker, x: Double, y: Double, _ kind: HTML) -> HTML {
        func line(_ from: Double, _ to: Double, _ end: Whisker.End) -> HTML {
            let open: HTML = end == .open ? " open" : .nothing
            return "<line class=\"whisker \(kind)\(open)\" x1=\"\(from)%\" x2=\"\(to)%\" y1=\"\(y)\" y2=\"\(y)\"/>"
        }
        func end(_ position: Double, _ end: Whisker.End) -> HTML {
            switch end {
            case .open: .nothing
            case .closed:
                "<line class=\"whisker \(kind)\" x1=\"\(position)%\" x2=\"\(position)%\" y1=\"\(y - 3)\" y2=\"\(y + 3)\"/>"
            case .clipped:
                "<svg x=\"100%\" y=\"\(y)\" width=\"1\" height=\"1\" overflow=\"visible\"><path class=\"arrow \(kind)\" d=\"M-6 -4L0 0L-6 4Z\"/></svg>"
            }
        }
        return """
            \(line(whisker.low, x, whisker.lowEnd))\(line(x, whisker.high, whisker.highEnd))\
            \(end(whisker.low, whisker.lowEnd))\(end(whisker.high, whisker.highEnd))
            """
    }
}

/// An axis: where a value lies between its ends, and which values are named on it.
struct Scale: Sendable {
    /// The largest value; the smallest is 0.
    let end: Double
    let ticks: [Double]

    /// From 0 to a round number at or above `largest`, with four or five named values.
    init(upTo largest: Double) {
        let largest = largest > 0 && largest.isFinite ? largest : 1
        let power = pow(10, floor(log10(largest / 4)))
        let step = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 * 4.5 >= largest } ?? 10 * power
        let count = max(1, Int((largest / step).rounded(.up)))
        end = step * Double(count)
        ticks = (0...count).map { Double($0) * step }
    }

    /// From 0 to 100.
    func percent(_ value: Double) -> Double {
        min(1, max(0, value / end)) * 100
    }
}
