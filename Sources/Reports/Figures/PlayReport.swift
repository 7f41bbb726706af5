/// The figures of every period and group that a request asks for.
package struct PlayReport: Sendable {
    package var request: ReportRequest
    /// Periods with at least one play, in order of time.
    package var periods: [Period]
    /// The newest receipt among the plays covered, ms since 1970; nil without a play.
    package var asOf: Int64?
    /// Plays left out because no CDN served them.
    package var downloads: Int64
    /// Plays of sessions that were sampled.
    package var sampled = SampledPlays()
    /// Error codes of groups that are left out because there were too many.
    package var failuresLeftOut = 0

    package struct Period: Sendable {
        /// `2026-11-29`, or `2026-11-01/2026-11-30` for a range.
        package var name: String
        /// Times of plays, ms since 1970; nil for all plays.
        package var range: Range<Int64>?
        /// By plays, most first, then by name as bytes, unless the request says otherwise; `(other)` is the last.
        package var groups: [GroupFigures]
        package var all: GroupFigures
        /// Groups that the request's limit leaves out.
        package var groupsLeftOut = 0
    }
}

extension PlayReport {
    /// What has to be known where more than a twentieth of the plays ended by silence; else nil.
    var silenceNote: String? {
        var (plays, silent): (Int64, Int64) = (0, 0)
        for period in periods {
            plays += period.all.totals[.plays]
            silent += period.all.totals[.endedBySilence]
        }
        guard silent * 20 > plays else { return nil }
        let share = HumanNumber.percent(Double(silent) / Double(plays)).value
        return "\(share) of the plays ended by silence: their player sends CMCD and did not say that the viewer left. "
            + "What was watched after the last report is missing, so rebuffering looks worse than it was; "
            + "endedBy!=silence leaves these plays out."
    }

    /// A table with a row a group, of the metrics that have one.
    func groupTable(_ metric: ReportMetric) -> ReportTable {
        let columns = metric.groupColumns(percents: request.percents)
        return table(metric, columns.map(\.column)) { figures in
            [columns.map { $0.cell(figures, request) }]
        }
    }

    /// One row a group, error code and phase; this report's dimensions are without the error code.
    func failuresTable() -> ReportTable {
        let columns = [
            ReportColumn("error_code", .text), ReportColumn("phase", .text), ReportColumn("failed_plays", .count),
            ReportColumn("plays", .count), ReportColumn("failure_ratio", .ratio),
            ReportColumn("failure_low_ratio", .ratio), ReportColumn("failure_high_ratio", .ratio),
        ]
        return table(.failures, columns) { figures in
            figures.failures.map { failure in
                [
                    .text(failure.code), .text(failure.phase), .init(failure.plays), .init(figures.totals[.plays]),
                    .init(failure.ratio.value), .init(failure.ratio.interval.low), .init(failure.ratio.interval.high),
                ]
            }
        }
    }

    /// One row a group and bin of startup times, those without plays inside the group's first and last among them.
    func histogramTable() -> ReportTable {
        table(.histogram, [ReportColumn("upper_ms", .milliseconds), ReportColumn("plays", .count)]) { figures in
            figures.startups.coarse.map { [.init($0.ms), .init($0.plays)] }
        }
    }

    private func table(
        _ metric: ReportMetric, _ columns: [ReportColumn], _ rows: (GroupFigures) -> [[ReportCell]]
    ) -> ReportTable {
        var table = ReportTable(
            name: metric.rawValue, columns: request.leadingColumns + columns + [ReportColumn("definitions", .version)],
            rows: [], asOf: asOf, downloads: downloads, notes: silenceNote.map { [$0] } ?? [], request: request,
            sampled: sampled)
        for period in periods {
            for figures in period.groups + [period.all] {
                let names = [.text(period.name)] + figures.names.map(ReportCell.text)
                table.rows += rows(figures).map { names + $0 + [.init(definitionsVersion)] }
            }
        }
        return table
    }
}

extension ReportRequest {
    /// The period and the names of a row.
    var leadingColumns: [ReportColumn] {
        [ReportColumn("period", .period)] + dimensions.map { ReportColumn($0.column, .name) }
    }
}
