/// A report as one HTML file that needs nothing else.
package enum HTMLRenderer {
    /// - Parameter refresh: after so many seconds a browser asks for the page again; nil: never, as of a file.
    package static func render(_ page: ReportPage, refresh: Int? = nil) -> String {
        let plays = page.whole.plays
        let period = plays.periods.first?.name ?? "no plays"
        let filters = page.whole.request.filters.isEmpty ? "" : ", " + page.whole.request.filtersText
        let refreshing = refresh.map { "; refreshed every \($0) s" } ?? ""
        return HTMLPage(
            title: "How video played, \(period)\(filters)", skip: "To the report", refresh: refresh,
            header: """
                <p class="quiet">How video played</p>
                <h1>\(period)</h1>
                <p class="quiet">\(page.whole.title)\(refreshing)</p>
                \(PageAnswer(page: page).html())
                """,
            main: PageSections(page: page).html(), footer: footer(page)
        ).text
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
        let asOf = page.asOf.map { "Covers plays received until \(zone.time($0)). " } ?? ""
        return """
            <footer class="quiet">
            <p>\(asOf)Days are those of \(zone.name). Definitions version \(Int(definitionsVersion)). Intervals are 95 % \
            intervals clustered by session: plays of one session share a network, a device and an outage. Where there are \
            too few sessions no interval is given; –: no plays to base a number on.</p>
            </footer>

            """
    }
}
