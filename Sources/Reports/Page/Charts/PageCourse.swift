/// The figures day by day: for each of them a picture a group, and one table.
struct PageCourse {
    let page: ReportPage
    let shown: [GroupFigures]
    let name: (GroupFigures) -> String

    private struct Measure {
        var id: String
        var title: String
        /// The file that has it.
        var file: ReportMetric
        var mark: (GroupFigures) -> Mark?
        var text: (GroupFigures) -> HumanNumber.Text
        var label: (Double) -> HumanNumber.Text

        static func startup(_ id: String, _ title: String, _ figure: @escaping (GroupFigures) -> Figure<Int64>)
            -> Measure
        {
            Measure(
                id: id, title: title, file: .startup, mark: { Mark(figure($0)) },
                text: { HumanNumber.milliseconds(figure($0)) }, label: { HumanNumber.milliseconds(Int64($0)) })
        }

        static func share(
            _ id: String, _ title: String, _ file: ReportMetric, _ figure: @escaping (GroupFigures) -> Figure<Double>
        ) -> Measure {
            Measure(
                id: id, title: title, file: file, mark: { Mark(figure($0)) }, text: { HumanNumber.percent(figure($0)) },
                label: { HumanNumber.percent($0) })
        }
    }

    private static var measures: [Measure] {
        [
            .startup("p50", "Startup p50") { $0.startupP50 }, .startup("p95", "Startup p95") { $0.startupP95 },
            .share("exits", "Left before start", .startup) { $0.exitsBeforeStart },
            .share("rebuffer", "Rebuffer ratio", .rebuffering) { $0.rebuffering },
            .share("failure", "Failure rate", .summary) { $0.failed },
        ]
    }

    /// Nil when there is one day alone.
    var body: HTML? {
        guard page.course.periods.count > 1 else { return nil }
        let parts = Self.measures.compactMap(part)
        return parts.isEmpty ? nil : "\(parts)"
    }

    /// A group's figures on each day; nil on a day without plays of it.
    private func days(_ group: GroupFigures) -> [(name: String, figures: GroupFigures?)] {
        page.course.periods.map { period in
            (period.name, group.isAll ? period.all : period.groups.first { $0.names == group.names })
        }
    }

    /// Nil where there is nothing to base the figure on.
    private func part(_ measure: Measure) -> HTML? {
        let columns = shown.map { (group: $0, days: days($0)) }
        let marks = columns.flatMap(\.days).compactMap { $0.figures.flatMap(measure.mark) }
        guard !marks.isEmpty else { return nil }
        let scale = Scale(for: marks)
        let figures = columns.map { group, days -> HTML in
            guard days.contains(where: { $0.figures.flatMap(measure.mark) != nil }) else { return .nothing }
            let chart = CourseChart(
                title: "\(measure.title) day by day, \(name(group))",
                days: days.map { day in
                    let text = day.figures.map(measure.text)
                    return .init(
                        name: day.name, mark: day.figures.flatMap(measure.mark),
                        text: (text?.value ?? "") + (text?.spread ?? ""))
                },
                scale: scale, label: measure.label)
            return "<figure>\n<h4>\(name(group))</h4>\n\(chart.svg())</figure>\n"
        }
        let note = Whisker.note(marks, scale)
        let caption: HTML = note.isEmpty ? .nothing : "<p class=\"quiet\">\(note)</p>\n"
        return """
            <h3 id="course-\(measure.id)">\(measure.title)</h3>
            <div class="many">
            \(figures)</div>
            \(caption)\(table(measure, columns.map(\.days)).html(.whole))
            """
    }

    private func table(_ measure: Measure, _ columns: [[(name: String, figures: GroupFigures?)]]) -> HumanTable {
        let request = page.whole.request
        var table = HumanTable(
            title: measure.title, period: page.whole.plays.periods.first?.name ?? "",
            columns: [.init(heading: "day", isName: true)] + shown.map { HumanTable.Column(heading: name($0)) })
        for (index, period) in page.course.periods.enumerated() {
            table.rows.append(
                [.init(CalendarDay(period.name)?.fullWords ?? period.name)]
                    + columns.map { days in
                        HumanTable.Cell(days[index].figures.map(measure.text) ?? .init(value: HumanNumber.none))
                    })
        }
        // The day is one of the three dimensions that a report may have.
        if request.dimensions.count < 3 {
            let by = (["day"] + request.dimensions.map(\.name)).joined(separator: ",")
            table.file = page.whole.links?.file(measure.file.rawValue, by: by)
        }
        return table
    }
}

/// A figure of one group day by day: a dot a day, a whisker over its interval.
private struct CourseChart {
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
        func end(_ position: Double, _ end: Whisker.End) -> HTML {
            let path: HTML
            switch end {
            case .open: return .nothing
            case .closed: path = "<path class=\"whisker one\" d=\"M-3 0H3\"/>"
            case .clipped: path = "<path class=\"arrow one\" d=\"M-4 6L0 0L4 6Z\"/>"
            }
            return "<svg x=\"\(x)%\" y=\"\(y(position))\" width=\"1\" height=\"1\" overflow=\"visible\">\(path)</svg>"
        }
        return """
            \(line(whisker.low, value, whisker.lowEnd))\(line(value, whisker.high, whisker.highEnd))\
            \(end(whisker.low, whisker.lowEnd))\(end(whisker.high, whisker.highEnd))
            """
    }
}
