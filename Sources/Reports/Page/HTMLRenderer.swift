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

/// The frame of every page: it needs nothing else, no script, no font, no picture from anywhere.
struct HTMLPage {
    /// What a browser's tab says.
    var title: String
    /// What the link over the page's head to its body says; nil where the head is short.
    var skip: String?
    /// After so many seconds a browser asks for the page again; nil: never.
    var refresh: Int?
    var header: HTML
    var main: HTML
    var footer = HTML.nothing

    var text: String {
        let meta: HTML = refresh.map { "<meta http-equiv=\"refresh\" content=\"\($0)\">\n" } ?? .nothing
        let skip: HTML = skip.map { "<a class=\"skip\" href=\"#main\">\($0)</a>\n" } ?? .nothing
        let html: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="robots" content="noindex">
            \(meta)\
            <link rel="icon" href="data:,">
            <title>\(title)</title>
            <style>
            \(PageStyle.css)
            </style>
            </head>
            <body>
            \(skip)\
            <header>
            \(header)</header>
            <main id="main">
            \(main)</main>
            \(footer)</body>
            </html>

            """
        return html.text
    }
}

/// The sentences that a page begins with: what is worse, what changed, and how all plays went.
private struct PageAnswer {
    let page: ReportPage

    func html() -> HTML {
        let sentences = AnswerSentences(page: page)
        let answers = sentences.all.map { sentence -> HTML in
            sentence.accused.isEmpty
                ? "<p class=\"answer\">\(HTML(keepingUnits: sentence.rest))</p>\n"
                : "<p class=\"answer\"><strong class=\"bad\">\(sentence.accused)</strong>\(HTML(keepingUnits: sentence.rest))</p>\n"
        }
        return "\(answers)\(changed)<p>\(HTML(keepingUnits: sentences.overall))</p>\n\(leftOut)"
    }

    private var changed: HTML {
        if page.isChangeUnknown {
            return """
                <p class="quiet">What changed since the same weekdays before was not looked for: there are too many plays or groups for \
                a page. qoe report --changed says it.</p>

                """
        }
        guard !page.changed.isEmpty else { return .nothing }
        let lines = page.changed.map { slice -> HTML in "<li>\(HTML(keepingUnits: slice.sentence))</li>\n" }
        let file: HTML =
            page.whole.links.map { " <a class=\"file\" href=\"\($0.file("changed"))\">CSV</a>" } ?? .nothing
        return """
            <p>What changed against the same weekdays before:\(file)</p>
            <ul class="changed">
            \(lines)</ul>

            """
    }

    private var leftOut: HTML {
        guard !page.leftOut.isEmpty else { return .nothing }
        let names = page.leftOut.map(\.name).joined(separator: ", ")
        return """
            <p class="bad">There are too many groups by \(names) in this time, so that all plays are shown together. Ask for \
            fewer days, for other groups with ?by=, or for some of the plays with ?where=.</p>

            """
    }
}

extension Comparison {
    /// A figure of the metric as people read it.
    func figure(_ value: Double?) -> String {
        switch metric {
        case .startupP50, .startupP95: HumanNumber.milliseconds(value.map { Int64($0) }).value
        case .stallsPerHour: HumanNumber.number(Figure(value)).value
        default: HumanNumber.percent(value).value
        }
    }
}
