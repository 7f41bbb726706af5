/// The figures day by day: for each of them a picture a group, and one table.
struct PageCourse {
    let page: ReportPage
    let shown: [GroupFigures]
    let name: (GroupFigures) -> String

    private struct Measure {
        var id: String
        var title: String
        var mark: (GroupFigures) -> IntervalChart.Mark?
        var text: (GroupFigures) -> HumanNumber.Text
        var label: (Double) -> String
    }

    private var measures: [Measure] {
        [
            Measure(
                id: "p50", title: "Startup p50",
                mark: { figures in
                    figures.startupP50.value.map {
                        IntervalChart.Mark(
                            value: Double($0), low: figures.startupP50.interval.low.map(Double.init),
                            high: figures.startupP50.interval.high.map(Double.init))
                    }
                },
                text: { HumanNumber.milliseconds($0.startupP50) }, label: { HumanNumber.milliseconds(Int64($0)).value }),
            Measure(
                id: "rebuffer", title: "Rebuffer ratio", mark: { PageSections.mark($0.rebuffering) },
                text: { HumanNumber.percent($0.rebuffering) }, label: { HumanNumber.percent($0).value }),
            Measure(
                id: "failure", title: "Failure rate", mark: { PageSections.mark($0.failed) },
                text: { HumanNumber.percent($0.failed) }, label: { HumanNumber.percent($0).value }),
        ]
    }

    /// Nothing when there is one day alone.
    func html(_ section: (String, String, HTML) -> HTML) -> HTML {
        guard page.course.periods.count > 1 else { return .nothing }
        let parts = measures.map { measure in part(measure) }
        return section("course", "Day by day", "\(parts)")
    }

    /// A group's figures on each day; nil on a day without plays of it.
    private func days(_ group: GroupFigures) -> [(name: String, figures: GroupFigures?)] {
        page.course.periods.map { period in
            (period.name, group.isAll ? period.all : period.groups.first { $0.names == group.names })
        }
    }

    private func part(_ measure: Measure) -> HTML {
        let marks = shown.flatMap { days($0) }.compactMap { $0.figures.flatMap(measure.mark) }
        let largest = marks.map(\.value).max() ?? 0
        let scale = Scale(upTo: max(largest, marks.compactMap(\.high).map { min($0, 1.5 * largest) }.max() ?? 0))
        let figures = shown.map { group -> HTML in
            let chart = CourseChart(
                title: "\(measure.title) day by day, \(name(group))",
                days: days(group).map { day in
                    let text = day.figures.map(measure.text)
                    return (day.name, day.figures.flatMap(measure.mark), (text?.value ?? "") + (text?.spread ?? ""))
                },
                scale: scale, label: measure.label)
            return "<figure>\n<h4>\(name(group))</h4>\n\(chart.svg())</figure>\n"
        }
        var table = HumanTable(
            title: measure.title, period: page.whole.plays.periods.first?.name ?? "",
            columns: [.init(heading: "day", isName: true)] + shown.map { HumanTable.Column(heading: name($0)) })
        let columns = shown.map(days)
        for (index, period) in page.course.periods.enumerated() {
            table.rows.append(
                [.init(period.name)]
                    + columns.map { days in
                        HumanTable.Cell(days[index].figures.map(measure.text) ?? .init(value: HumanNumber.none))
                    })
        }
        return """
            <h3 id="course-\(measure.id)">\(measure.title)</h3>
            <div class="many">
            \(figures)</div>
            \(table.html())
            """
    }
}
