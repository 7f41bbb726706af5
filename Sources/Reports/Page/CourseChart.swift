/// A figure of one group day by day: a dot a day, a whisker over its interval.
struct CourseChart {
    struct Day {
        var name: String
        /// Nil where the group has nothing to base the figure on.
        var mark: Mark?
        var text: String
    }

    var title: String
    /// In order.
    var days: [Day]
    var scale: Scale
    var label: (Double) -> HumanNumber.Text

    private static let height = 110.0

    func svg() -> HTML {
        let step = 100 / Double(max(1, days.count))
        // The ends, and the middle where a round number is there.
        let last = scale.ticks.count - 1
        let shown = (last % 2 == 0 ? [0, last / 2, last] : [0, last]).map { scale.ticks[$0] }
        let grid = zip(shown, Scale.labels(shown, label)).map { tick, text -> HTML in
            let y = y(scale.percent(tick))
            return """
                <line class="grid" x1="0" x2="100%" y1="\(y)" y2="\(y)"/>
                <text class="quiet" x="0" y="\(y - 3)">\(text)</text>

                """
        }
        let marks = days.enumerated().map { index, day -> HTML in
            guard let mark = day.mark else { return .nothing }
            let x = (Double(index) + 0.5) * step
            let value = scale.percent(mark.value)
            let whisker = Whisker(mark, scale).map { self.whisker($0, value, x: x) } ?? .nothing
            let name = CalendarDay(day.name)?.fullWords ?? day.name
            return """
                \(whisker)<circle class="mark one" cx="\(x)%" cy="\(y(value))" r="3.5">\
                <title>\(name): \(day.text)</title></circle>

                """
        }
        let ends = [(days.first?.name, "start", "0"), (days.count > 1 ? days.last?.name : nil, "end", "100%")]
        let names = ends.map { name, anchor, x -> HTML in
            guard let name else { return .nothing }
            let words = CalendarDay(name)?.shortWords ?? name
            return
                "<text class=\"quiet\" x=\"\(x)\" y=\"\(Self.height + 26)\" text-anchor=\"\(anchor)\">\(words)</text>"
        }
        return """
            <svg role="img" aria-label="\(title)" height="\(Self.height + 32)">
            \(grid)\(marks)\(names)
            </svg>

            """
    }

    /// From a place on the axis to one in the picture; the label of the highest tick stands over it.
    private func y(_ percent: Double) -> Double { Self.height + 10 - percent * (Self.height - 6) / 100 }

    private func whisker(_ whisker: Whisker, _ value: Double, x: Double) -> HTML {
        func line(_ from: Double, _ to: Double, _ end: Whisker.End) -> HTML {
            let open: HTML = end == .open ? " open" : .nothing
            return "<line class=\"whisker one\(open)\" x1=\"\(x)%\" x2=\"\(x)%\" y1=\"\(y(from))\" y2=\"\(y(to))\"/>"
        }
        func end(_ place: Double, _ end: Whisker.End) -> HTML {
            let path: HTML
            switch end {
            case .open: return .nothing
            case .closed: path = "<path class=\"whisker one\" d=\"M-3 0H3\"/>"
            case .clipped: path = "<path class=\"arrow one\" d=\"M-4 6L0 0L4 6Z\"/>"
            }
            return "<svg x=\"\(x)%\" y=\"\(y(place))\" width=\"1\" height=\"1\" overflow=\"visible\">\(path)</svg>"
        }
        return """
            \(line(whisker.low, value, whisker.lowEnd))\(line(value, whisker.high, whisker.highEnd))\
            \(end(whisker.low, whisker.lowEnd))\(end(whisker.high, whisker.highEnd))
            """
    }
}
