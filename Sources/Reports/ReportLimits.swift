/// How large a report may get, and until when it has to be made: whoever holds a write key decides how many values a
/// dimension has.
package struct ReportLimits: Sendable {
    /// Groups of one report, beside all plays.
    package var groups = Int.max
    /// Groups of one period that have a row of their own; the others are one, `(other)`.
    package var named = Int.max
    /// Rows of one table, over all periods.
    package var rows = Int.max
    /// Error codes of one period, those of each group counted apart; the rarest of more are left out.
    package var failures = Int.max
    package var end: ContinuousClock.Instant?

    package init() {}

    /// - Throws: ``ReportLimitError/time`` after the end.
    func check() throws(ReportLimitError) {
        if let end, end < .now { throw .time }
    }
}

/// Which limit a report would go beyond.
package enum ReportLimitError: Error, Sendable, Equatable {
    case groups(most: Int)
    case rows(most: Int)
    case codes(most: Int)
    case time
}

extension PlayReport {
    /// Rows of the table with a row a group.
    var groupRows: Int { periods.reduce(0) { $0 + $1.groups.count + 1 } }

    fileprivate func rows(_ ofGroup: (GroupFigures) -> Int) -> Int {
        periods.reduce(0) { rows, period in
            (period.groups + [period.all]).reduce(rows) { $0 + ofGroup($1) }
        }
    }
}

extension ReportDocument {
    /// How many rows a table for machines has.
    func rows(_ metric: ReportMetric) -> Int {
        switch metric {
        case .summary, .startup, .rebuffering, .sessions, .quality: plays.groupRows
        case .failures: failures.rows { $0.failures.count }
        case .histogram: plays.rows { $0.startups.coarse.count }
        case .delivery: (delivery?.periods ?? []).reduce(0) { $0 + $1.groups.count + 1 }
        case .volume: (volume?.periods ?? []).reduce(0) { $0 + $1.groups.count + 1 }
        }
    }
}

extension PeriodSums {
    /// Keeps the most frequent error codes of each group, so that there are about so many together: each takes as long to
    /// conclude from as a group, and a client decides how many there are.
    ///
    /// - Returns: how many are left out.
    mutating func keepFailures(_ most: Int) -> Int {
        let each = most / (groups.count + 1)
        var leftOut = all.keepFailures(max(10, each))
        for index in groups.indices { leftOut += groups[index].keepFailures(max(1, each)) }
        return leftOut
    }
}

extension GroupSums {
    fileprivate mutating func keepFailures(_ most: Int) -> Int {
        let leftOut = max(0, failures.count - most)
        failures.removeLast(leftOut)
        return leftOut
    }
}
