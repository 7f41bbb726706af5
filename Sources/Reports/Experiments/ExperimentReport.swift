/// An experiment: the arms of a dimension against one of its values, since a day.
package struct ExperimentRequest: Sendable, Hashable {
    package var dimension: PlayDimension
    package var control: String
    package var since: CalendarDay

    /// Reads `tag:arm=a`.
    ///
    /// - Throws: what is wrong with the text, and what would be right.
    package init(_ text: String, since: CalendarDay) throws(ReportRequestError) {
        let filter = try PlayFilter(text)
        guard !filter.isNegated, !filter.isAboutTime, filter.value != filter.dimension.absent else {
            throw ReportRequestError("'\(text)' names no arm to compare with: DIM=VALUE, such as tag:arm=a")
        }
        (dimension, control, self.since) = (filter.dimension, filter.value, since)
    }
}

/// How the arms of an experiment stand.
package struct ExperimentReport: Sendable {
    var request: ReportRequest
    var experiment: ExperimentRequest
    var period: String
    var days: Int
    var arms: [ExperimentArm]
    /// Sessions with plays in several arms, which are in none of the figures.
    var sharedSessions: Int64
    var asOf: Int64?
    var downloads: Int64

    /// Most looks of one report.
    static let mostDays = 90
}

extension ReportMaker {
    /// Looks at an experiment as it stood at the end of each day.
    ///
    /// - Parameter request: which plays; its days and dimensions don't matter.
    /// - Throws: ``ReportRequestError`` where there is nothing to compare; what the store says.
    package func experiment(_ request: ReportRequest, _ experiment: ExperimentRequest) throws -> ExperimentReport {
        try store.snapshot {
            try checkFilters(request.filters)
            return try look(limited(request), experiment)
        }
    }

    private func look(_ request: ReportRequest, _ experiment: ExperimentRequest) throws -> ExperimentReport {
        var request = request
        request.dimensions = [experiment.dimension]
        request.isByDay = false
        // Plays of no arm are no arm.
        request.filters.append(PlayFilter(experiment.dimension, experiment.dimension.absent, isNegated: true))
        let zone = request.zone
        let start = zone.start(of: experiment.since)
        let last = try store.hours(in: nil).last.map { zone.day(of: $0.start + millisecondsPerHour - 1) }
        guard let last, last >= experiment.since else {
            throw ReportRequestError("there are no plays since \(experiment.since)")
        }
        let days = last.number - experiment.since.number + 1
        guard days <= ExperimentReport.mostDays else {
            throw ReportRequestError(
                "an experiment is looked at for \(ExperimentReport.mostDays) days at the most, not \(days)")
        }
        let ends = (1...days).map { zone.start(of: experiment.since.advanced(by: $0)) }
        var question = SumsQuestion(PlayScope(request), periods: ends.map { start..<max($0, start + 1) })
        question.leavesOutSharedSessions = true
        let sums = try store.sums(question)
        let byName = sums.map { period in
            Dictionary(period.groups.map { (request.names($0.key)[0], $0) }) { one, _ in one }
        }
        guard byName.last?[experiment.control] != nil else {
            throw ReportRequestError(
                "no play since \(experiment.since) has \(experiment.dimension.name)=\(experiment.control)")
        }
        let all = sums[sums.count - 1]
        let names = all.groups.sorted { $0.totals[.plays] > $1.totals[.plays] }.map { request.names($0.key)[0] }
            .filter { $0 != experiment.control }
        guard !names.isEmpty else {
            throw ReportRequestError("no play since \(experiment.since) has another \(experiment.dimension.name)")
        }
        let judged = ComparedMetric.allCases.count(where: \.isJudged)
        let arms = names.map { name in
            let looks = byName.map { groups -> (own: GroupSums, other: GroupSums)? in
                guard let own = groups[name], let other = groups[experiment.control] else { return nil }
                return (own, other)
            }
            return ExperimentArm(name: name, looks: looks, level: 0.05 / Double(judged * names.count))
        }
        return ExperimentReport(
            request: request, experiment: experiment, period: zone.rangeName(from: experiment.since, to: last),
            days: days, arms: arms, sharedSessions: all.sharedSessions, asOf: all.all.totals.lastReceivedAt,
            downloads: all.downloads)
    }
}

// MARK: - Tables

extension ExperimentReport {
    package func table() -> ReportTable {
        let numbers = ["value", "reference", "ratio", "ratio_low", "ratio_high", "p"].map { ReportColumn($0, .ratio) }
        var table = ReportTable(
            name: "experiment",
            columns: request.leadingColumns + [ReportColumn("metric", .text)] + numbers
                + [
                    ReportColumn("sessions", .count), ReportColumn("reference_sessions", .count),
                    ReportColumn("shared_sessions", .count), ReportColumn("sample_ratio_p", .ratio),
                    ReportColumn("decided_on_day", .count), ReportColumn("verdict", .text),
                    ReportColumn("definitions", .version),
                ],
            rows: [], asOf: asOf, downloads: downloads, request: request)
        for arm in arms {
            for one in arm.figures {
                table.rows.append([
                    .text(period), .text(arm.name), .text(one.metric.rawValue), .init(one.value), .init(one.reference),
                    .init(one.ratio), .init(one.interval.low), .init(one.interval.high), .init(one.p),
                    .init(arm.sessions), .init(arm.controlSessions), .init(sharedSessions), .init(arm.sampleRatioP),
                    .init(one.decidedOnDay), .text(one.verdict.rawValue), .init(definitionsVersion),
                ])
            }
        }
        return table
    }

    func section() -> HumanSection {
        var table = HumanTable(
            title: "Experiment", period: period,
            columns: request.nameColumns + [
                .init(heading: "metric", isName: true, isWhole: true), .init(heading: "here"),
                .init(heading: experiment.control), .init(heading: "times as bad"), .init(heading: "at any look"),
                .init(heading: "verdict", isName: true, isWhole: true),
            ])
        for arm in arms {
            for one in arm.figures {
                let figure = { (value: Double?) in HumanNumber.percent(value).value }
                var ends = HumanNumber.none
                if let low = one.interval.low, let high = one.interval.high {
                    ends = "\(HumanNumber.times(low)) to \(HumanNumber.times(high))"
                }
                let day = one.decidedOnDay.map { ", decided on day \($0)" } ?? ""
                let tone: HumanTable.Tone = one.verdict == .worse ? .bad : one.verdict == .better ? .good : .plain
                table.rows.append([
                    .init(arm.name), .init(one.metric.heading), .init(figure(one.value)), .init(figure(one.reference)),
                    .init(one.ratio.map(HumanNumber.times) ?? HumanNumber.none), .init(ends),
                    .init(one.verdict.rawValue + day, tone: tone),
                ])
            }
        }
        let sizes = arms.map { arm in
            "\(arm.name.visible) has \(HumanNumber.count(arm.sessions).value) sessions, "
                + "\(experiment.control.visible) \(HumanNumber.count(arm.controlSessions).value)"
                + (arm.sampleRatioP ?? 1 < 0.001 ? ": more apart than luck makes them, so nothing is concluded." : ".")
        }
        return HumanSection(
            title: "Experiment", tables: [table],
            notes: [
                "Day \(days) of the experiment. The intervals hold however often one looks, for all figures and arms together."
            ] + sizes + [
                "\(HumanNumber.count(sharedSessions).value) sessions played in several arms and are left out."
            ])
    }
}
