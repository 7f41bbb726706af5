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

/// Which plays of a report come from sessions that were chosen by chance: their tag `sample` is the share of sessions that
/// the app measured.
package struct SampledPlays: Sendable, Hashable {
    /// The tag that says so.
    package static let tag = "sample"

    package struct Share: Sendable, Hashable {
        /// As the tag has it: a decimal number above 0 and below 1.
        package var rate: String
        package var plays: Int64

        package init(rate: String, plays: Int64) {
            self.rate = rate
            self.plays = plays
        }
    }

    /// Most plays first, then by the share's text.
    package private(set) var shares: [Share] = []
    /// There are more values of the tag than a report may have groups.
    package var isTooMany = false

    /// No play.
    package init() {}

    /// - Parameter values: plays by the value of the tag; what is no share of sessions is left out.
    package init(_ values: [String: Int64]) {
        shares = values.filter { Self.isShare($0.key) && $0.value > 0 }
            .map { Share(rate: $0.key, plays: $0.value) }
            .sorted { ($1.plays, $0.rate) < ($0.plays, $1.rate) }
    }

    private static func isShare(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") })
        else { return false }
        return Double(text).map { $0 > 0 && $0 < 1 } ?? false
    }

    /// So many shares are named in a note, at most.
    private static let mostNamed = 5

    /// What people have to know of it; nil when every session was measured.
    ///
    /// - Parameter plays: all plays of the report.
    func note(of plays: Int64) -> String? {
        let end = "Counts are of measured plays; nothing is weighted."
        if isTooMany { return "A sample of sessions, at more shares than a report can tell (tag sample). \(end)" }
        guard !shares.isEmpty else { return nil }
        var parts = shares.prefix(Self.mostNamed).map { "\(Self.plays($0.plays)) at \($0.rate)" }
        let others = shares.dropFirst(Self.mostNamed).reduce(0) { $0 + $1.plays }
        if others > 0 { parts.append("\(HumanNumber.count(others).value) at other shares") }
        let whole = plays - shares.reduce(0) { $0 + $1.plays }
        if whole > 0 { parts.append("\(HumanNumber.count(whole).value) not sampled") }
        return "A sample of sessions (tag sample): \(parts.joined(separator: ", ")). \(end)"
    }

    private static func plays(_ count: Int64) -> String {
        count == 1 ? "1 play" : "\(HumanNumber.count(count).value) plays"
    }
}
