/// The sentence that a page begins with: which groups are worse, and how sure that is.
struct PageAnswer {
    let page: ReportPage

    private var period: PlayReport.Period? { page.whole.plays.periods.first }

    func html() -> HTML {
        guard let period else { return "<p class=\"answer\">No plays in this time.</p>" }
        return "\(comparison.map { "<p class=\"answer\">\($0)</p>\n" })\(overall(period.all))\(leftOut)"
    }

    private var leftOut: HTML {
        guard !page.leftOut.isEmpty else { return .nothing }
        let names = page.leftOut.map(\.name).joined(separator: ", ")
        return """
            <p class="bad">There are too many groups by \(names) in this time, so that all plays are shown together. Ask for \
            fewer days, for other groups with ?by=, or for some of the plays with ?where=.</p>

            """
    }

    private func overall(_ all: GroupFigures) -> HTML {
        """
        <p>Of \(HumanNumber.count(all.totals[.plays]).value) plays, half started within \
        \(HumanNumber.milliseconds(all.startupP50.value).value) and 95 % within \
        \(HumanNumber.milliseconds(all.startupP95.value).value); viewers waited for \
        \(HumanNumber.percent(all.rebuffering.value).value) of the time that they watched; \
        \(HumanNumber.percent(all.failed.value).value) of the plays failed; a session took \
        \(HumanNumber.bytes(all.dataPerSessionMean).value) on average.</p>

        """
    }

    /// First what was worse on single days, then what is worse all the time, a sentence a group; one for the others, and
    /// one for those with too few sessions.
    private var comparison: [HTML] {
        guard let troubles = page.troubles else { return [] }
        let whole = page.whole.comparison?.periods.first?.comparisons.filter(\.metric.isJudged) ?? []
        var order: [GroupNames] = []
        for comparison in whole where !order.contains(comparison.names) { order.append(comparison.names) }
        var sentences = troubles.badDays.map { day in
            let hours = day.hours.map { ", above all \($0.text)" } ?? ""
            return sentence(day.names, "was worse", " on \(day.day)\(hours)", day.comparisons)
        }
        for names in order {
            let lasting = troubles.lasting.filter { $0.names == names }
            if !lasting.isEmpty { sentences.append(sentence(names, "is worse", "", lasting)) }
        }
        let accused = Set(troubles.badDays.map(\.names) + troubles.lasting.map(\.names))
        let unknown = order.filter { names in
            !accused.contains(names) && whole.allSatisfy { $0.names != names || $0.verdict == .tooFewSessions }
        }
        if accused.isEmpty {
            sentences.append("No group is shown to be worse than the others together.")
        } else if accused.count + unknown.count < order.count {
            sentences.append("Of the other groups none is shown to be worse than the rest.")
        }
        if !unknown.isEmpty {
            let list = unknown.map { $0.joined(separator: ", ").visible }.joined(separator: "; ")
            sentences.append("Too few sessions to say anything of: \(list).")
        }
        return sentences
    }

    private func sentence(_ names: GroupNames, _ verb: String, _ time: String, _ worse: [Comparison]) -> HTML {
        let figures = worse.map { comparison in
            "\(comparison.metric.heading) \(comparison.figure(comparison.value)) "
                + "against \(comparison.figure(comparison.reference))"
        }
        return """
            <strong class="bad">\(names.joined(separator: ", ").visible) \(verb)</strong> than all others together\(time): \
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
