/// In what groups are worse than all others together: on single days, and all the time.
struct GroupTroubles: Sendable {
    /// In the order of the days.
    var badDays: [BadDay] = []
    /// Comparisons of the whole time, without those that one bad day makes up more than half of.
    var lasting: [Comparison] = []
    /// Groups with more failures than the others because of viewers who were offline.
    var offline: [GroupNames] = []

    struct Subject: Hashable {
        var names: GroupNames
        var metric: ComparedMetric

        init(_ comparison: Comparison) {
            names = comparison.names
            metric = comparison.metric
        }

        init(_ names: GroupNames, _ metric: ComparedMetric) {
            (self.names, self.metric) = (names, metric)
        }
    }

    /// - Parameters:
    ///   - whole: the groups against the others over the whole time.
    ///   - days: and on each day.
    ///   - course: the same groups' figures on each day.
    ///   - offline: groups that are not worse by failures without those of viewers who were offline.
    init(
        whole: ComparisonReport, days: ComparisonReport? = nil, course: PlayReport? = nil,
        offline: Set<GroupNames> = []
    ) {
        let all = whole.periods.first?.comparisons ?? []
        // What only the mix of networks explains is nobody's fault, on no day.
        let explained = Set(all.filter { $0.isWorse && !$0.isWorseAtMix }.map { Subject($0) })
            .union(offline.map { Subject($0, .failed) })
        lasting = all.filter { $0.isAccused && !explained.contains(Subject($0)) }
        self.offline = all.filter { $0.isWorse && $0.metric == .failed && offline.contains($0.names) }.map(\.names)
        guard let days, let course else { return }
        var figures: [String: [GroupNames: GroupFigures]] = [:]
        for period in course.periods {
            for group in period.groups { figures[period.name, default: [:]][group.names] = group }
        }
        // How much of what is bad a group had beyond the others' rate, day by day.
        var excess: [Subject: [String: Double]] = [:]
        for day in days.periods {
            for comparison in day.comparisons {
                guard let rate = comparison.reference, let plays = figures[day.name]?[comparison.names] else {
                    continue
                }
                excess[Subject(comparison), default: [:]][day.name] = plays.excess(comparison.metric, over: rate)
            }
        }
        func isMost(_ day: String, of subject: Subject) -> Bool {
            let days = excess[subject] ?? [:]
            return 2 * (days[day] ?? 0) > days.values.reduce(0, +)
        }
        var ofOneDay: Set<Subject> = []
        for day in days.periods {
            let news = day.comparisons.filter { comparison in
                let subject = Subject(comparison)
                guard comparison.isWorse, !explained.contains(subject) else { return false }
                guard lasting.contains(where: { Subject($0) == subject }) else { return true }
                guard isMost(day.name, of: subject) else { return false }
                ofOneDay.insert(subject)
                return true
            }
            var order: [GroupNames] = []
            for comparison in news where !order.contains(comparison.names) { order.append(comparison.names) }
            badDays += order.map { names in
                BadDay(names: names, day: day.name, comparisons: news.filter { $0.names == names })
            }
        }
        lasting.removeAll { ofOneDay.contains(Subject($0)) }
    }
}

extension Comparison {
    var isWorse: Bool { verdict == .worse }

    /// Worse, as far as can be said, at the same mix too.
    var isWorseAtMix: Bool {
        switch adjusted?.verdict {
        case nil, .worse, .perhapsWorse, .tooFewSessions, .tooLittleInCommon: true
        case .better, .perhapsBetter, .noDifferenceShown: false
        }
    }

    /// Worse than the others as they are, and not by the mix alone; or at the same mix, whatever the plain figures say.
    var isAccused: Bool { metric.isJudged && (isWorse && isWorseAtMix || adjusted?.verdict == .worse) }
}

extension GroupFigures {
    /// How much more of what is bad there is than at a rate: late startups, ms stalled, stalls, plays.
    func excess(_ metric: ComparedMetric, over rate: Double) -> Double {
        func beyond(_ events: PlayCount, _ base: PlayCount) -> Double {
            Double(totals[events]) - Double(totals[base]) * rate / metric.scale
        }
        switch metric {
        case .startupP50, .startupP95: return 0
        case .startupWithinTarget: return -beyond(.withinTarget, .measured)
        case .rebuffering: return beyond(.stalledMs, .watchedMs)
        case .stallsPerHour: return beyond(.stalls, .watchedMs)
        case .playsWithStall: return beyond(.playsWithStall, .started)
        case .failed: return beyond(.failed, .plays)
        case .exitsBeforeStart: return beyond(.exitsBeforeStart, .plays)
        }
    }
}

/// A day on which a group was worse than all others together, in what it is not worse in on the other days.
struct BadDay: Sendable {
    var names: GroupNames
    /// `2026-11-29`.
    var day: String
    /// What was worse.
    var comparisons: [Comparison]
    /// When most of it happened; nil when that is not known, or was all day long.
    var hours: WorstHours?

    /// What stands out most.
    var clearest: Comparison? { comparisons.min { $0.p ?? 1 < $1.p ?? 1 } }

    /// The group's plays, and the day's times.
    func plays(_ page: ReportRequest) -> (scope: PlayScope, range: Range<Int64>)? {
        guard let day = CalendarDay(day) else { return nil }
        var scope = PlayScope(page)
        scope.filters += zip(page.dimensions, names).map { PlayFilter($0, $1) }
        var range = page.zone.range(from: day, to: day)
        if case .window(let window) = page.days { range = range.clamped(to: window) }
        return (scope, range)
    }
}
