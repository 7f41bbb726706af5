/// A report as one HTML file that needs nothing else: no script, no font, no picture from anywhere.
package enum HTMLRenderer {
    /// - Parameter refresh: after so many seconds a browser asks for the page again; nil: never, as of a file.
    package static func render(_ page: ReportPage, refresh: Int? = nil) -> String {
        let plays = page.whole.plays
        let period = plays.periods.first?.name ?? "no plays"
        let filters = page.whole.request.filters.isEmpty ? "" : ", " + page.whole.request.filtersText
        let meta: HTML = refresh.map { "<meta http-equiv=\"refresh\" content=\"\($0)\">\n" } ?? .nothing
        let refreshing = refresh.map { "; refreshed every \($0) s" } ?? ""
        let html: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            \(meta)\
            <link rel="icon" href="data:,">
            <title>How video played, \(period)\(filters)</title>
            <style>
            \(PageStyle.css)
            </style>
            </head>
            <body>
            <a class="skip" href="#main">To the report</a>
            <header>
            <p class="quiet">How video played</p>
            <h1>\(period)</h1>
            <p class="quiet">\(page.whole.title)\(refreshing)</p>
            \(PageAnswer(page: page).html())</header>
            <main id="main">
            \(PageSections(page: page).html())</main>
            \(footer(page))</body>
            </html>

            """
        return html.text
    }

    /// What a browser is shown where there is no report.
    ///
    /// - Parameter message: why, and what would help.
    package static func refusal(_ message: String) -> String {
        let html: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            <link rel="icon" href="data:,">
            <title>No report</title>
            <style>
            \(PageStyle.css)
            </style>
            </head>
            <body>
            <header>
            <p class="quiet">How video played</p>
            <h1>No report</h1>
            </header>
            <main id="main">
            <p class="bad">\(message.visible)</p>
            <p><a href="?">The last seven days</a></p>
            </main>
            </body>
            </html>

            """
        return html.text
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
