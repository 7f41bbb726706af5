/// Everything that a report shows, whatever its format.
package struct ReportDocument: Sendable {
    package var request: ReportRequest
    /// The tables asked for, in order.
    package var metrics: [ReportMetric]
    package var plays: PlayReport
    /// By the same dimensions without the error code.
    package var failures: PlayReport
    /// Nil when no table needs it.
    package var delivery: DeliveryReport?
    /// Nil when no table needs it.
    package var volume: VolumeReport?
    /// Nil when no table needs it.
    package var receipts: ReceiptCounts?
    package var comparison: ComparisonReport?
    /// Where groups and tables lead; nil: nowhere, as in a file.
    package var links: PageLinks?
    package var experiment: ExperimentReport?
    /// What a text says first: what is worse, than what, by how much.
    package var sentences: [String] = []
    /// What changed against the same weekdays before; nil when nobody asked.
    package var changed: [ChangedSlice]?

    /// Plays of sessions that were sampled.
    var sampled: SampledPlays {
        get { plays.sampled }
        set {
            plays.sampled = newValue
            failures.sampled = newValue
        }
    }

    /// The tables for machines, in the order asked for; the comparison comes last.
    package var tables: [ReportTable] {
        metrics.map(table) + (comparison.map { [$0.table()] } ?? [])
    }

    /// One table for machines.
    package func table(_ metric: ReportMetric) -> ReportTable {
        switch metric {
        case .failures: failures.failuresTable()
        case .delivery:
            delivery?.table()
                ?? DeliveryReport(request: request, periods: [], asOf: plays.asOf, downloads: plays.downloads).table()
        case .histogram: plays.histogramTable()
        case .volume:
            (volume ?? VolumeReport(request)).table()
        case .summary, .startup, .rebuffering, .sessions, .quality: plays.groupTable(metric)
        }
    }
}

/// What came in beside the plays that were stored, by the time of receipt.
package struct ReceiptCounts: Sendable, Hashable {
    /// Plays that came again.
    package var duplicates: Int64 = 0
    /// Those of them that said something else than the first.
    package var conflicts: Int64 = 0
    /// Events that were not taken, by the contract's code.
    package var rejected: [Rejected] = []

    package struct Rejected: Sendable, Hashable {
        package var code: String
        package var events: Int64

        package init(code: String, events: Int64) {
            self.code = code
            self.events = events
        }
    }

    package init() {}
}

extension ReportDocument {
    /// The paragraphs before the tables.
    var opening: [String] {
        guard let changed else { return sentences }
        let nothing = "Nothing is shown to have changed against the same weekdays before."
        return sentences
            + (changed.isEmpty
                ? [nothing] : ["What changed against the same weekdays before:"] + changed.map(\.sentence))
    }
}

extension ReportPage {
    /// What the page says first, as text.
    package var sentences: [String] {
        let sentences = AnswerSentences(page: self)
        return sentences.all.map(\.text) + [sentences.overall]
    }
}
