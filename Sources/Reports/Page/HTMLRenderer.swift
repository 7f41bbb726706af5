/// A report as one HTML file that needs nothing else.
package enum HTMLRenderer {
    /// - Parameter refresh: after so many seconds a browser asks for the page again; nil: never, as of a file.
    package static func render(_ page: ReportPage, refresh: Int? = nil) -> String {
        let plays = page.whole.plays
        let period = plays.periods.first.map { PeriodWords.words($0.name) } ?? "No plays"
        let filters = page.whole.request.filters.isEmpty ? "" : ", " + page.whole.request.filtersText
        let refreshing = refresh.map { "; refreshed every \($0) s" } ?? ""
        let title = page.whole.plays.request.title(asOf: plays.asOf, isForPage: true)
        let sections = PageSections(page: page).all
        let form = page.whole.links.map { PageForm(page: page, links: $0).html() } ?? .nothing
        return HTMLPage(
            title: "How video played, \(period)\(filters)", skip: "To the report", refresh: refresh,
            header: """
                <p class="quiet">How video played</p>
                <h1>\(period)</h1>
                <p class="quiet">\(HTML(keepingUnits: title + refreshing))</p>
                \(PageAnswer(page: page).html())\
                \(form)\(contents(sections))
                """,
            main: "\(sections.map(\.html))", footer: footer(page)
        ).text
    }

    private static func contents(_ sections: [PageSections.Section]) -> HTML {
        guard !sections.isEmpty else { return .nothing }
        let items = sections.map { section -> HTML in "<li><a href=\"#\(section.id)\">\(section.title)</a></li>\n" }
        return "<nav class=\"contents\" aria-label=\"Contents\">\n<ul>\n\(items)</ul>\n</nav>\n"
    }

    /// What a browser is shown where there is no report and no play.
    ///
    /// - Parameters:
    ///   - message: why, and what would help.
    ///   - home: where the report of the last seven days is.
    package static func refusal(_ message: String, home: String) -> String {
        HTMLPage(
            title: "No report",
            header: """
                <p class="quiet">How video played</p>
                <h1>No report</h1>

                """,
            main: """
                <p class="bad">\(message.visible)</p>
                <p><a href="\(home)">The last seven days</a></p>

                """
        ).text
    }

    private static func footer(_ page: ReportPage) -> HTML {
        let zone = page.whole.request.zone
        let asOf = page.asOf.map { "Covers plays received until \(PeriodWords.words($0, in: zone)). " } ?? ""
        return """
            <footer class="quiet">
            <p>\(asOf)Days are those of \(zone.name). Definitions version \(Int(definitionsVersion)). Intervals are 95 % \
            intervals clustered by session: plays of one session share a network, a device and an outage. Where there are \
            too few sessions no interval is given; –: no plays to base a number on.</p>
            </footer>

            """
    }
}
