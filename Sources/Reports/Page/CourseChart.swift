/// A figure of one group day by day: a dot a day, a whisker over its interval.
struct CourseChart {
    var title: String
    /// The days in order; nil where the group has nothing to base the figure on.
    var days: [(name: String, mark: IntervalChart.Mark?, text: String)]
    var scale: Scale
    var label: (Double) -> String

    private static let height = 110.0

    func svg() -> HTML {
        let step = 100 / Double(max(1, days.count))
        func y(_ value: Double) -> Double { Self.height - scale.percent(value) }
        let grid = [0, scale.end / 2, scale.end].map { tick -> HTML in
            """
            <line class="grid" x1="0" x2="100%" y1="\(y(tick))" y2="\(y(tick))"/>
            <text class="quiet" x="0" y="\(y(tick) - 3)">\(label(tick))</text>

            """
        }
        let marks = days.enumerated().map { index, day -> HTML in
            guard let mark = day.mark else { return .nothing }
            let x = (Double(index) + 0.5) * step
            var whisker = HTML.nothing
            if mark.low != nil || mark.high != nil {
                whisker = """
                    <line class="whisker one" x1="\(x)%" x2="\(x)%" y1="\(y(mark.low ?? mark.value))" \
                    y2="\(y(mark.high ?? mark.value))"/>
                    """
            }
            return """
                \(whisker)<circle class="mark one" cx="\(x)%" cy="\(y(mark.value))" r="3.5">\
                <title>\(day.name): \(day.text)</title></circle>

                """
        }
        let ends = [(days.first?.name, "start", "0"), (days.count > 1 ? days.last?.name : nil, "end", "100%")]
        let names = ends.map { name, anchor, x -> HTML in
            guard let name else { return .nothing }
            return "<text class=\"quiet\" x=\"\(x)\" y=\"\(Self.height + 16)\" text-anchor=\"\(anchor)\">\(name)</text>"
        }
        return """
            <svg role="img" aria-label="\(title)" height="\(Self.height + 22)">
            \(grid)\(marks)\(names)
            </svg>

            """
    }
}
