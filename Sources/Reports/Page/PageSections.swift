/// The page's sections, each with its pictures and their tables.
struct PageSections {
    let page: ReportPage

    /// Pictures show so many groups; the tables have all.
    static let mostGroups = 12

    private var document: ReportDocument { page.whole }
    private var period: PlayReport.Period? { document.plays.periods.first }

    /// The groups that pictures show, all plays last.
    var shown: [GroupFigures] {
        guard let period else { return [] }
        return Array(period.groups.prefix(Self.mostGroups)) + [period.all]
    }

    struct Section {
        var id: String
        var title: String
        var body: HTML

        var html: HTML {
            """
            <section aria-labelledby="\(id)">
            <h2 id="\(id)">\(title)</h2>
            \(body)</section>

            """
        }
    }

    /// Those that have something to show.
    var all: [Section] {
        guard period != nil else { return [] }
        return [
            summary, startup, distribution, rebuffering, failures, data, course, previous, comparison, delivery,
            quality,
        ].compactMap { $0 }
    }

    // MARK: Parts

    /// Nothing where the picture would be empty.
    private func figure(_ chart: IntervalChart, _ caption: String) -> HTML {
        guard !chart.isEmpty else { return .nothing }
        return "<figure>\n\(chart.svg())<figcaption>\(caption)\(chart.note)\(leftOut)</figcaption>\n</figure>\n"
    }

    /// Says what pictures leave out.
    private var leftOut: String {
        let more = (period?.groups.count ?? 0) - Self.mostGroups
        return more > 0 ? " The \(more) groups with the fewest plays are in the table alone." : ""
    }

    private func tables(_ metric: ReportMetric) -> HTML {
        var one = document
        one.metrics = [metric]
        one.comparison = nil
        return tables(one.sections, document.links?.file(metric.rawValue))
    }

    private func tables(_ sections: [HumanSection], _ file: String?) -> HTML {
        // What goes for all tables stands once, under the first.
        let known = Set(document.notes)
        let parts = sections.flatMap { section -> [HTML] in
            guard !section.tables.isEmpty else { return ["<p>\(section.absence)</p>\n"] }
            let notes = section.title == "Summary" ? section.notes : section.notes.filter { !known.contains($0) }
            let tables = section.tables.map { table in
                var table = table
                table.file = file
                return table.html()
            }
            return tables + notes.map { note -> HTML in "<p class=\"quiet\">\(HTML(keepingUnits: note))</p>\n" }
        }
        return "\(parts)"
    }

    private func name(_ figures: GroupFigures) -> String {
        figures.names.isEmpty ? "all plays" : figures.isAll ? "all" : figures.names.joined(separator: ", ").visible
    }

    private static func text(_ text: HumanNumber.Text) -> String { text.value + text.spread }

    // MARK: Sections

    private var summary: Section {
        let links: HTML =
            document.links == nil
            ? .nothing
            : "<p class=\"quiet\">A name leads to the page of its plays alone, a number of plays to some of them.</p>\n"
        return Section(id: "summary", title: "At a glance", body: "\(links)\(tables(.summary))")
    }

    private var startup: Section {
        let chart = IntervalChart(
            title: "Startup p50 and p95",
            rows: shown.map { figures in
                IntervalChart.Row(
                    name: name(figures), one: Mark(figures.startupP50),
                    two: Mark(figures.startupP95),
                    text: "p50 \(Self.text(HumanNumber.milliseconds(figures.startupP50))), "
                        + "p95 \(Self.text(HumanNumber.milliseconds(figures.startupP95)))")
            },
            label: { HumanNumber.milliseconds(Int64($0)) })
        let caption =
            "Time from play() to the first frame. ● half of the plays started by then, ■ 95 % of them; the line "
            + "is the 95 % interval."
        return Section(id: "startup", title: "Startup", body: "\(figure(chart, caption))\(tables(.startup))")
    }

    private var distribution: Section? {
        let charts = shown.filter { $0.startups.count > 0 }.map {
            DistributionChart(name: name($0), startups: $0.startups)
        }
        guard !charts.isEmpty else { return nil }
        let largest = charts.flatMap(\.shares).max() ?? 1
        let figures = charts.map { chart -> HTML in
            """
            <figure>
            <h3>\(chart.name)</h3>
            \(chart.svg(largest: largest))<figcaption>\(HumanNumber.count(chart.startups.count).value) plays</figcaption>
            </figure>

            """
        }
        var table = HumanTable(
            title: "Share of plays by startup time", period: period?.name ?? "",
            columns: [.init(heading: "startup", isName: true)] + charts.map { HumanTable.Column(heading: $0.name) })
        for index in 0...DistributionChart.ends.count {
            table.rows.append(
                [.init(DistributionChart.range(index))]
                    + charts.map { HumanTable.Cell(HumanNumber.percent($0.shares[index])) })
        }
        table.file = document.links?.file("histogram")
        return Section(
            id: "distribution", title: "How startup times are spread",
            body: """
                <p class="quiet">Each bar is about a quarter longer in time than the one before it; the scale is the same in \
                all pictures.\(leftOut)</p>
                <div class="many">
                \(figures)</div>
                \(table.html(.whole))
                """)
    }

    private var rebuffering: Section {
        let chart = IntervalChart(
            title: "Rebuffer ratio",
            rows: shown.map { figures in
                IntervalChart.Row(
                    name: name(figures), one: Mark(figures.rebuffering), two: nil,
                    text: Self.text(HumanNumber.percent(figures.rebuffering)))
            },
            label: { HumanNumber.percent($0) })
        return Section(
            id: "rebuffering", title: "Rebuffering",
            body: "\(figure(chart, "Share of the watched time that viewers waited for data."))\(tables(.rebuffering))")
    }

    private var failures: Section {
        let codes = (document.failures.periods.first?.all.failures ?? []).prefix(10)
        guard !codes.isEmpty else {
            return Section(id: "failures", title: "Failures", body: "<p>No play failed.</p>\n")
        }
        let chart = IntervalChart(
            title: "Failures by error code",
            rows: codes.map { failure in
                IntervalChart.Row(
                    name: "\(failure.code), \(failure.phase)", one: Mark(failure.ratio), two: nil,
                    text: "\(failure.plays) plays, " + Self.text(HumanNumber.percent(failure.ratio)))
            },
            label: { HumanNumber.percent($0) })
        let caption = "Share of all plays that failed so: at the start, before the first frame, or in playback."
        let rest: HTML =
            document.failures.failuresLeftOut == 0
            ? .nothing
            : "<p class=\"quiet\">\(HumanNumber.count(Int64(document.failures.failuresLeftOut)).value) rows of rarer codes are left out.</p>\n"
        return Section(
            id: "failures", title: "Failures", body: "\(figure(chart, caption))\(tables(.failures))\(rest)")
    }

    private var data: Section {
        let bytes = IntervalChart(
            title: "Data per session",
            rows: shown.map { figures in
                IntervalChart.Row(
                    name: name(figures),
                    one: figures.dataPerSessionMean.map {
                        Mark(
                            value: Double($0), low: figures.dataPerSessionInterval.low,
                            high: figures.dataPerSessionInterval.high)
                    },
                    two: figures.data.p95.map { Mark(value: Double($0)) },
                    text: "mean "
                        + Self.text(HumanNumber.bytes(figures.dataPerSessionMean, figures.dataPerSessionInterval))
                        + ", p95 " + HumanNumber.bytes(figures.data.p95).value)
            },
            label: { HumanNumber.bytes(Int64($0)) })
        let memory = IntervalChart(
            title: "Memory at session end",
            rows: shown.map { figures in
                IntervalChart.Row(
                    name: name(figures),
                    one: figures.memory.p50.map { Mark(value: Double($0)) },
                    two: figures.memory.p95.map { Mark(value: Double($0)) },
                    text: "p50 \(HumanNumber.bytes(figures.memory.p50).value), "
                        + "p95 \(HumanNumber.bytes(figures.memory.p95).value)")
            },
            label: { HumanNumber.bytes(Int64($0)) })
        return Section(
            id: "sessions", title: "Data and memory a session",
            body: """
                \(figure(bytes, "Data that a session took: ● mean with its 95 % interval, ■ 95 % of sessions took less."))\
                \(figure(memory, "Memory of the app when a session ended: ● half of the sessions had less, ■ 95 % of them."))\
                \(tables(.sessions))
                """)
    }

    private var course: Section? {
        PageCourse(page: page, shown: shown, name: name).body.map {
            Section(id: "course", title: "Day by day", body: $0)
        }
    }

    private var previous: Section? {
        page.previous.map { previous in
            Section(
                id: "previous", title: "Each group against \(previous.words)",
                body: tables(
                    [previous.report.section()], document.links?.file("compare", [("compare", "previous")])))
        }
    }

    private var comparison: Section? {
        document.comparison.map { comparison in
            let mix = comparison.comparison.adjust.map(\.name).joined(separator: ",")
            let file = document.links?.file(
                "compare", [("compare", "rest")] + (mix.isEmpty ? [] : [("adjust", mix)]))
            return Section(
                id: "comparison",
                title: "Each group against the others" + (mix.isEmpty ? "" : ", at the same mix of networks too"),
                body: tables([comparison.section()], file))
        }
    }

    private var delivery: Section {
        Section(id: "delivery", title: "What arrived", body: tables(.delivery))
    }

    private var quality: Section {
        Section(id: "quality", title: "What the data are worth", body: tables(.quality))
    }
}
