/// What a page and a report say first: what is worse, than what, by how much, since when, where.
struct AnswerSentences {
    /// A sentence; its beginning names whom it accuses.
    struct Sentence: Sendable, Equatable {
        /// `c was worse`; empty where nobody is accused.
        var accused = ""
        var rest: String

        var text: String { accused + rest }
    }

    let page: ReportPage

    private var period: PlayReport.Period? { page.whole.plays.periods.first }
    private var request: ReportRequest { page.whole.request }

    /// Against the time before first, then against the others: single days, what lasts, and what only the mix explains.
    var all: [Sentence] {
        guard period != nil else { return [] }
        return before + others
    }

    // MARK: Against the time before

    private var before: [Sentence] {
        guard let previous = page.previous else { return [] }
        var sentences: [Sentence] = []
        for names in order(previous.report) {
            let worse = previous.worse.filter { $0.names == names }
            guard !worse.isEmpty else { continue }
            let since = previous.since[names].map { ", since \($0.words)" } ?? ""
            sentences.append(
                Sentence(
                    accused: "\(name(names)) is worse",
                    rest: " than in \(previous.words)\(since): \(list(worse, other: "then"))."))
        }
        if sentences.isEmpty {
            sentences.append(Sentence(rest: "No group is shown to be worse than in \(previous.words)."))
        }
        return sentences
    }

    // MARK: Against the others

    private var others: [Sentence] {
        guard let troubles = page.troubles, let comparison = page.whole.comparison else { return [] }
        let whole = comparison.periods.first?.comparisons.filter(\.metric.isJudged) ?? []
        let order = order(comparison)
        var sentences = troubles.badDays.map { day in
            let hours = day.hours.map { ", \($0.text)" } ?? ""
            let date = CalendarDay(day.day)?.words ?? day.day
            return Sentence(
                accused: "\(name(day.names)) was worse",
                rest: " than all others together on \(date)\(hours): "
                    + "\(list(day.comparisons, other: "for the others")).")
        }
        for names in order {
            let lasting = troubles.lasting.filter { $0.names == names }
            guard !lasting.isEmpty else { continue }
            let atMix = comparison.words(ofMix: lasting)
            sentences.append(
                Sentence(
                    accused: "\(name(names)) is worse",
                    rest:
                        " than all others together\(atMix): \(list(lasting.map { $0.isWorse ? $0 : $0.atMix }, other: "for the others"))."
                ))
        }
        sentences += whole.compactMap { one in
            one.mixWords.map { Sentence(rest: "\(name(one.names)) \($0).") }
        }
        sentences += troubles.offline.map { names in
            Sentence(
                rest:
                    "\(name(names)) has more failures than the others, but not without those of viewers who were offline."
            )
        }
        let accused = Set(troubles.badDays.map(\.names) + troubles.lasting.map(\.names))
        let unknown = order.filter { names in
            !accused.contains(names) && whole.allSatisfy { $0.names != names || $0.verdict == .tooFewSessions }
        }
        if accused.isEmpty {
            sentences.append(Sentence(rest: "No group is shown to be worse than the others together."))
        } else if accused.count + unknown.count < order.count {
            sentences.append(Sentence(rest: "Of the other groups none is shown to be worse than the rest."))
        }
        if !unknown.isEmpty {
            let list = unknown.map { name($0) }.joined(separator: "; ")
            sentences.append(Sentence(rest: "Too few sessions to say anything of: \(list)."))
        }
        return sentences
    }

    private func order(_ report: ComparisonReport) -> [GroupNames] {
        var order: [GroupNames] = []
        for comparison in report.periods.first?.comparisons ?? [] where order.last != comparison.names {
            order.append(comparison.names)
        }
        return order
    }

    private func name(_ names: GroupNames) -> String { names.joined(separator: ", ").visible }

    private func list(_ worse: [Comparison], other: String) -> String {
        worse.map { $0.words(other: other, target: request.targetText) }.joined(separator: "; ")
    }

    // MARK: All plays

    /// What can be said of all plays, each figure of the base that it names.
    var overall: String {
        guard let all = period?.all else { return "No plays in this time." }
        let count = { (plays: PlayCount) in HumanNumber.count(all.totals[plays]).value }
        let startup =
            all.totals[.measured] == 0
            ? "Of no play the startup was measured"
            : "Of \(count(.measured)) plays whose start was measured, half started within "
                + "\(HumanNumber.milliseconds(all.startupP50.value).value) and 95 % within "
                + HumanNumber.milliseconds(all.startupP95.value).value
        let watched =
            all.totals[.watchedMs] == 0
            ? ""
            : "; viewers waited for \(HumanNumber.percent(all.rebuffering.value).value) of the "
                + "\(HumanNumber.duration(all.totals[.watchedMs]).value) that they watched"
        let data =
            all.data.sessions == 0
            ? "" : "; a session took \(HumanNumber.bytes(all.dataPerSessionMean).value) on average"
        return startup
            + "; of all \(count(.plays)) \(HumanNumber.percent(all.exitsBeforeStart.value).value) left before and "
            + "\(HumanNumber.percent(all.failed.value).value) failed\(watched)\(data)."
    }
}

extension ComparisonReport {
    /// ` at the same mix of networks`, where what is said holds so alone, or so too.
    fileprivate func words(ofMix comparisons: [Comparison]) -> String {
        if comparisons.contains(where: { !$0.isWorse }) { return " at the same mix of networks" }
        let isKnown = comparisons.allSatisfy { $0.adjusted?.verdict == .worse }
        // Of one network alone there is nothing to say.
        let differs = comparisons.contains { one in
            abs((one.adjusted?.reference ?? 0) - (one.reference ?? 0)) > 1e-12
        }
        guard isKnown, differs, !comparison.adjust.isEmpty else { return "" }
        return ", at the same mix of networks too"
    }
}

extension Comparison {
    /// The same with what the others would have had at the group's mix.
    fileprivate var atMix: Comparison {
        var atMix = self
        atMix.reference = adjusted?.reference
        atMix.ratio = adjusted?.ratio
        atMix.interval = adjusted?.interval ?? .unknown
        return atMix
    }

    /// `2.3 times as many late starts, 1.4 to 3.9 (7.4 %, for the others 3.2 %)`.
    ///
    /// - Parameter other: whose figure the second one is.
    func words(other: String, target: String) -> String {
        let (own, reference) = (badFigure(value), badFigure(self.reference))
        let figures = "(\(own), \(other) \(reference))"
        guard let ratio else { return "\(outcomeWords(target)) \(figures)" }
        var ends = ""
        if let low = interval.low, let high = interval.high {
            ends = ", \(HumanNumber.times(low)) to \(HumanNumber.times(high))"
        }
        if isOfGood { return "starts within \(target) \(HumanNumber.times(ratio)) times as rare\(ends) \(figures)" }
        let much = metric == .rebuffering ? "much" : "many"
        return "\(HumanNumber.times(ratio)) times as \(much) \(outcomeWords(target))\(ends) \(figures)"
    }

    private func outcomeWords(_ target: String) -> String {
        switch metric {
        case .startupWithinTarget, .startupP50, .startupP95: "late starts"
        case .rebuffering: "rebuffering"
        case .stallsPerHour: "stalls"
        case .playsWithStall: "plays with a stall"
        case .failed: "failures"
        case .exitsBeforeStart: "exits before start"
        }
    }

    private func badFigure(_ value: Double?) -> String {
        isOfGood || metric != .startupWithinTarget ? figure(value) : figure(value.map { 1 - $0 })
    }

    /// `is behind by late starts only because 70 % of its plays are cellular, against 30 %`; nil where figures and the same
    /// mix point in one direction, or nothing was shown.
    var mixWords: String? {
        guard let adjusted, let mix = adjusted.mix, metric.isJudged, adjusted.ratio != nil else { return nil }
        let isShown: Bool
        switch verdict {
        case .worse, .perhapsWorse, .better, .perhapsBetter: isShown = true
        default: isShown = false
        }
        let turned = adjusted.isHigher != isHigher
        let isExcused = verdict == .worse && adjusted.verdict == .noDifferenceShown
        guard isShown, turned || isExcused else { return nil }
        let shares =
            "\(HumanNumber.percent(mix.own).value) of its plays are \(mix.value.visible), "
            + "against \(HumanNumber.percent(mix.other).value)"
        let position = isHigher ? "behind" : "ahead"
        let outcome = outcomeWords("")
        if turned {
            let atMix =
                adjusted.verdict == .better || adjusted.verdict == .worse
                ? ": at the same mix it is \(adjusted.verdict == .better ? "better" : "worse")" : ""
            return "is \(position) by \(outcome) only because \(shares)\(atMix)"
        }
        return "is behind by \(outcome), but \(shares): at the same mix no difference is shown"
    }
}
