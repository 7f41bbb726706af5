package import ClickHouse
package import Reports

/// A ClickHouse store as reports see it: the queries of `Queries/` with values in the places of their parameters.
package final class ClickHouseReportStore: ReportStore {
    private let client: ClickHouseClient
    private let layout: ClickHouseLayout
    private let bounds: ClickHouseSettings.Bounds
    /// When the last query has to be done; nil: each has the time that the URL says.
    private let deadline: ContinuousClock.Instant?
    private var isChecked = false

    package var dialect: SQLDialect { .clickHouse }

    /// - Parameter patience: how long all queries may take together; nil: each as long as the URL says.
    package init(_ client: ClickHouseClient, patience: Duration? = nil) {
        self.client = client
        layout = ClickHouseLayout(client)
        deadline = patience.map { .now + $0 }
        var bounds = ClickHouseSettings.Bounds()
        bounds.rows = client.url.rows
        bounds.seconds = client.url.seconds
        // Beside a server that takes plays in.
        if deadline != nil { bounds.answerBytes = 256 << 20 }
        self.bounds = bounds
    }

    package func rows(_ sql: String, _ parameters: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        if !isChecked {
            try layout.check()
            isChecked = true
        }
        let literals = parameters.map { parameter in
            switch parameter {
            case .integer(let value): SQLText.literal(value)
            case .text(let text): SQLText.literal(text)
            }
        }
        guard let bound = SQLText.bound(relations(sql, parameters), literals) else {
            preconditionFailure("a query has as many places as values")
        }
        var bounds = bounds
        if let deadline {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw StoreFault.outOfPatience }
            bounds.seconds = max(1, left.components.seconds)
        }
        do {
            try client.query(bound, within: bounds) { try visit(ClickHouseRow(row: $0)) }
        } catch let error as ClickHouseError where deadline != nil && error.isOutOfBounds {
            throw StoreFault.outOfPatience
        }
    }

    /// A chunk that is being posted is there in parts, by shards, days and copies: what comes last may have a lower number than
    /// what was seen, and with several servers that is so anyway.
    package var numbersGrow: Bool { false }

    /// Names the table itself where a query reads `plays`: through the view, old servers read all days and columns.
    private func relations(_ sql: String, _ parameters: [SQLValue]) -> String {
        let plays = layout.relation(.plays)
        return
            sql
            // Which hours have plays is the same with repeats.
            .replacing("SELECT hour FROM plays", with: "SELECT hour FROM \(plays)")
            .replacing("FROM plays", with: "FROM \(plays) FINAL")
            .replacing("FROM repeats", with: "FROM (\n\(layout.schema.repeats(in: days(parameters)))\n) AS repeats")
    }

    /// The days of the plays that were received in the hours that a query's two values name: a play lies at most 30 days
    /// before its receipt.
    private func days(_ parameters: [SQLValue]) -> ClosedRange<Int64>? {
        guard parameters.count == 2, case .integer(let first) = parameters[0], case .integer(let last) = parameters[1],
            first <= last, first > -1 << 40, last < 1 << 40
        else { return nil }
        return PlayHour.day(ofHour: first) - 31...PlayHour.day(ofHour: last) + 1
    }
}

private struct ClickHouseRow: SQLRow {
    let row: TSVRow

    func integer(_ column: Int) -> Int64 { row.integer(column) ?? 0 }
    func isNull(_ column: Int) -> Bool { row.isNull(column) }
    func text(_ column: Int) -> String { String(decoding: row.text(column), as: UTF8.self) }

    func withText<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try row.text(column).withUnsafeBytes(body)
    }
}
