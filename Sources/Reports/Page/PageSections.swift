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

    func html() -> HTML {
        guard period != nil else { return .nothing }
        return """
            \(summary)\(startup)\(distribution)\(rebuffering)\(failures)\(data)\(course)\(comparison)\(delivery)\(quality)
            """
    }

    // MARK: Parts

    private func section(_ id: String, _ title: String, _ body: HTML) -> HTML {
        """
        <section aria-labelledby="\(id)">
        <h2 id="\(id)">\(title)</h2>
        \(body)</section>

        """
    }

    private func figure(_ svg: HTML, _ caption: String) -> HTML {
        "<figure>\n\(svg)<figcaption>\(caption)\(leftOut)</figcaption>\n</figure>\n"
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
        return tables(one.sections)
    }

    private func tables(_ sections: [HumanSection]) -> HTML {
        // What goes for all tables stands once, under the first.
        let known = Set(document.notes)
        let parts = sections.flatMap { section in
            let notes = section.title == "Summary" ? section.notes : section.notes.filter { !known.contains($0) }
            return section.tables.map { $0.html() } + notes.map { note -> HTML in "<p class=\"quiet\">\(note)</p>\n" }
        }
        return "\(parts)"
    }

    private func name(_ figures: GroupFigures) -> String {
        figures.names.isEmpty ? "all plays" : figures.isAll ? "all" : figures.names.joined(separator: ", ").visible
    }

    private static func milliseconds(_ figure: Figure<Int64>) -> IntervalChart.Mark? {
        figure.value.map {
            IntervalChart.Mark(
                value: Double($0), low: figure.interval.low.map(Double.init),
                high: figure.interval.high.map(Double.init))
        }
    }

    static func mark(_ figure: Figure<Double>) -> IntervalChart.Mark? {
        figure.value.map { IntervalChart.Mark(value: $0, low: figure.interval.low, high: figure.interval.high) }
    }

    private static func text(_ text: HumanNumber.Text) -> String { text.value + text.spread }

    // MARK: Sections

    private var summary: HTML { section("summary", "At a glance", tables(.summary)) }

    private var startup: HTML {
        let chart = IntervalChart(
            title: "Startup p50 and p95",
            rows: shown.map { figures in
                IntervalChart.Row(
                    name: name(figures), one: Self.milliseconds(figures.startupP50),
                    two: Self.milliseconds(figures.startupP95),
                    text: "p50 \(Self.text(HumanNumber.milliseconds(figures.startupP50))), "
                        + "p95 \(Self.text(HumanNumber.milliseconds(figures.startupP95)))")
            },
            label: { HumanNumber.milliseconds(Int64($0)).value })
        let caption =
            "Time from play() to the first frame. ● half of the plays started by then, ■ 95 % of them; the line "
            + "is the 95 % interval."
        return section("startup", "Startup", "\(figure(chart.svg(), caption))\(tables(.startup))")
    }

    private var distribution: HTML {
        let charts = shown.filter { $0.startups.count > 0 }.map {
            DistributionChart(name: name($0), startups: $0.startups)
        }
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
        return section(
            "distribution", "How startup times are spread",
            """
            <p class="quiet">Each bar is about a quarter longer in time than the one before it; the scale is the same in \
            all pictures.\(leftOut)</p>
            <div class="many">
            \(figures)</div>
            \(table.html())
            """)
    }

    private var rebuffering: HTML {
        let chart = IntervalChart(
            title: "Rebuffer ratio",
            rows: shown.map { figures in
                IntervalChart.Row(
                    name: name(figures), one: Self.mark(figures.rebuffering), two: nil,
                    text: Self.text(HumanNumber.percent(figures.rebuffering)))
            },
            label: { HumanNumber.percent($0).value })
        return section(
            "rebuffering", "Rebuffering",
            "\(figure(chart.svg(), "Share of the watched time that viewers waited for data."))\(tables(.rebuffering))")
    }

    private var failures: HTML {
        let codes = (document.failures.periods.first?.all.failures ?? []).prefix(10)
        guard !codes.isEmpty else {
            return section("failures", "Failures", "<p>No play failed.</p>\n")
        }
        let chart = IntervalChart(
            title: "Failures by error code",
            rows: codes.map { failure in
                IntervalChart.Row(
                    name: "\(failure.code), \(failure.phase)", one: Self.mark(failure.ratio), two: nil,
                    text: "\(failure.plays) plays, " + Self.text(HumanNumber.percent(failure.ratio)))
            },
            label: { HumanNumber.percent($0).value })
        let caption = "Share of all plays that failed so: at the start, before the first frame, or in playback."
        let rest: HTML =
            document.failures.failuresLeftOut == 0
            ? .nothing
            : "<p class=\"quiet\">\(HumanNumber.count(Int64(document.failures.failuresLeftOut)).value) rows of rarer codes are left out.</p>\n"
        return section("failures", "Failures", "\(figure(chart.svg(), caption))\(tables(.failures))\(rest)")
    }

    private var data: HTML {
        let bytes = IntervalChart(
            title: "Data per session",
            rows: shown.map { figures in
                IntervalChart.Row(
                    name: name(figures),
                    one: figures.dataPerSessionMean.map {
                        IntervalChart.Mark(
                            value: Double($0), low: figures.dataPerSessionInterval.low,
                            high: figures.dataPerSessionInterval.high)
                    },
                    two: figures.data.p95.map { IntervalChart.Mark(value: Double($0)) },
                    text: "mean "
                        + Self.text(HumanNumber.bytes(figures.dataPerSessionMean, figures.dataPerSessionInterval))
                        + ", p95 " + HumanNumber.bytes(figures.data.p95).value)
            },
            label: { HumanNumber.bytes(Int64($0)).value })
        let memory = IntervalChart(
            title: "Memory at session end",
            rows: shown.map { figures in
                IntervalChart.Row(
                    name: name(figures),
                    one: figures.memory.p50.map { IntervalChart.Mark(value: Double($0)) },
                    two: figures.memory.p95.map { IntervalChart.Mark(value: Double($0)) },
                    text: "p50 \(HumanNumber.bytes(figures.memory.p50).value), "
                        + "p95 \(HumanNumber.bytes(figures.memory.p95).value)")
            },
            label: { HumanNumber.bytes(Int64($0)).value })
        return section(
            "sessions", "Data and memory a session",
            """
            \(figure(bytes.svg(), "Data that a session took: ● mean with its 95 % interval, ■ 95 % of sessions took less."))\
            \(figure(memory.svg(), "Memory of the app when a session ended: ● half of the sessions had less, ■ 95 % of them."))\
            \(tables(.sessions))
            """)
    }

    private var course: HTML { PageCourse(page: page, shown: shown, name: name).html(section) }

    private var comparison: HTML {
        let previous = page.previous.map { previous -> HTML in
            section("previous", "Each group against \(previous.words)", tables([previous.report.section()]))
        }
        guard let comparison = document.comparison else { return "\(previous ?? .nothing)" }
        let isAdjusted = !comparison.comparison.adjust.isEmpty
        let title = "Each group against the others" + (isAdjusted ? ", at the same mix of networks too" : "")
        return "\(previous ?? .nothing)\(section("comparison", title, tables([comparison.section()])))"
    }

    private var delivery: HTML { section("delivery", "What arrived", tables(.delivery)) }
    private var quality: HTML { section("quality", "What the data are worth", tables(.quality)) }
}
