/// The sentences that a page begins with: what is worse, what changed, and how all plays went.
struct PageAnswer {
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
