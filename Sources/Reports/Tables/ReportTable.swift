/// The tables of a report; the raw value names files and the command line's `--metric`.
package enum ReportMetric: String, Sendable, CaseIterable {
    case summary, startup, rebuffering, failures, sessions, delivery, quality, histogram, volume
}

/// The version of the metrics' definitions that every export names.
package let definitionsVersion: Int64 = 2

/// What a column holds, which says how people read it.
package enum ColumnKind: Sendable, Hashable {
    case period, name, text, count, milliseconds, ratio, perHour, bytes, bitsPerSecond, version
}

package struct ReportColumn: Sendable, Hashable {
    /// As in CSV: snake_case, ending in the unit.
    package var name: String
    package var kind: ColumnKind

    package init(_ name: String, _ kind: ColumnKind) {
        self.name = name
        self.kind = kind
    }
}

package enum ReportCell: Sendable, Hashable {
    /// Nothing to base a number on, or an end that is not known.
    case empty
    case text(String)
    case integer(Int128)
    /// Printed with six decimals.
    case decimal(Double)

    init(_ value: (some BinaryInteger)?) {
        self = value.map { .integer(Int128($0)) } ?? .empty
    }

    init(_ value: Double?) {
        self = value.map(ReportCell.decimal) ?? .empty
    }

    /// A number of bytes that was computed in floating point, half up to the whole.
    init(wholeBytes value: Double?) {
        guard let value, value < 1e38 else {
            self = .empty
            return
        }
        self = .integer(Int128((value + 0.5).rounded(.down)))
    }
}

/// One table, the same in every format.
package struct ReportTable: Sendable {
    /// What files of it are called: a ``ReportMetric``, `compare`, `changes`.
    package var name: String
    package var columns: [ReportColumn]
    package var rows: [[ReportCell]]
    /// The newest receipt among the plays that the report covers, ms since 1970.
    package var asOf: Int64?
    /// Plays left out because no CDN served them.
    package var downloads: Int64
    /// What a reader has to know of the figures, in words; most tables have none.
    package var notes: [String] = []
    /// Which plays it covers, how they are cut and what counts as fast; nil where several requests share a table.
    package var request: ReportRequest?
    /// Plays of sessions that were sampled.
    package var sampled = SampledPlays()
}
