/// The sentence that a page begins with: which groups are worse, and how sure that is.
struct PageAnswer {
    let page: ReportPage

    private var period: PlayReport.Period? { page.whole.plays.periods.first }

    func html() -> HTML {
        guard let period else { return "<p class=\"answer\">No plays in this time.</p>" }
        return "\(comparison.map { "<p class=\"answer\">\($0)</p>\n" })\(overall(period.all))"
    }

    private func overall(_ all: GroupFigures) -> HTML {
        """
        <p>Of \(HumanNumber.count(all.totals.plays).value) plays, half started within \
        \(HumanNumber.milliseconds(all.startupP50.value).value) and 95 % within \
        \(HumanNumber.milliseconds(all.startupP95.value).value); viewers waited for \
        \(HumanNumber.percent(all.rebuffering.value).value) of the time that they watched; \
        \(HumanNumber.percent(all.failed.value).value) of the plays failed; a session took \
        \(HumanNumber.bytes(all.dataPerSessionMean).value) on average.</p>

        """
    }

    /// A sentence for each group that is worse, over the whole time and on single days; one for the others, and one for
    /// those with too few plays.
    private var comparison: [HTML] {
        guard let whole = page.whole.comparison?.periods.first?.comparisons.filter(\.metric.isJudged) else { return [] }
        var order: [[String]] = []
        for comparison in whole where !order.contains(comparison.names) { order.append(comparison.names) }
        let days = page.courseComparison?.periods ?? []
        var sentences: [HTML] = []
        var accused = 0
        var unknown: [String] = []
        for names in order {
            func worse(_ comparisons: [Comparison]) -> [Comparison] {
                comparisons.filter { $0.names == names && $0.verdict == .worse }
            }
            let always = worse(whole)
            let single = days.map { ($0.name, worse($0.comparisons)) }.filter { !$0.1.isEmpty }
            if !always.isEmpty { sentences.append(sentence(names, "is worse", "", always)) }
            for (day, found) in single { sentences.append(sentence(names, "was worse", " on \(day)", found)) }
            if !always.isEmpty || !single.isEmpty { accused += 1 }
            if whole.allSatisfy({ $0.names != names || $0.verdict == .tooFewPlays }) {
                unknown.append(names.joined(separator: ", "))
            }
        }
        if accused == 0 {
            sentences.append("No group is shown to be worse than the others together.")
        } else if accused + unknown.count < order.count {
            sentences.append("Of the other groups none is shown to be worse than the rest.")
        }
        if !unknown.isEmpty {
            sentences.append("Too few plays to say anything of: \(unknown.joined(separator: "; ")).")
        }
        return sentences
    }

    private func sentence(_ names: [String], _ verb: String, _ time: String, _ worse: [Comparison]) -> HTML {
        let figures = worse.map { comparison in
            "\(comparison.metric.heading) \(comparison.figure(comparison.value)) "
                + "against \(comparison.figure(comparison.reference))"
        }
        return """
            <strong class="bad">\(names.joined(separator: ", ")) \(verb)</strong> than all others together\(time): \
            \(figures.joined(separator: "; ")).
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
