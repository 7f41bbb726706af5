/// In what groups are worse than all others together: on single days, and all the time.
struct GroupTroubles: Sendable {
    /// In the order of the days.
    var badDays: [BadDay] = []
    /// Comparisons of the whole time, without those that one bad day makes up more than half of.
    var lasting: [Comparison] = []

    private struct Subject: Hashable {
        var names: GroupNames
        var metric: ComparedMetric

        init(_ comparison: Comparison) {
            names = comparison.names
            metric = comparison.metric
        }
    }

    /// - Parameters:
    ///   - whole: the groups against the others over the whole time.
    ///   - days: and on each day.
    ///   - course: the same groups' figures on each day.
    init(whole: ComparisonReport, days: ComparisonReport? = nil, course: PlayReport? = nil) {
        lasting = whole.periods.first?.comparisons.filter(\.isWorse) ?? []
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
        var explained: Set<Subject> = []
        for day in days.periods {
            let news = day.comparisons.filter { comparison in
                guard comparison.isWorse else { return false }
                let subject = Subject(comparison)
                guard lasting.contains(where: { Subject($0) == subject }) else { return true }
                guard isMost(day.name, of: subject) else { return false }
                explained.insert(subject)
                return true
            }
            var order: [GroupNames] = []
            for comparison in news where !order.contains(comparison.names) { order.append(comparison.names) }
            badDays += order.map { names in
                BadDay(names: names, day: day.name, comparisons: news.filter { $0.names == names })
            }
        }
        lasting.removeAll { explained.contains(Subject($0)) }
    }
}

extension Comparison {
    var isWorse: Bool { verdict == .worse }
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
