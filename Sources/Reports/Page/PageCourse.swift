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
