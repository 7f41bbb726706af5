internal import ClickHouse
internal import PlayStore
internal import Reports

/// The query about what senders made and what arrived in one period of receipt: groups come back, never senders.
struct DeliverySQL {
    let plays: ScopedPlays
    /// The senders' reports.
    let reports: String
    /// Plays that were removed with their days.
    let pruned: String
    /// Receipts before that are those of days that were removed, ms since 1970.
    let firstReceipt: Int64
    /// Times of receipt, ms since 1970; nil for all.
    let period: Range<Int64>?

    private var end: Int64 { period?.upperBound ?? .max }
    /// What was said on days that were removed is there for later reports to be set against.
    private var start: Int64 { max(0, firstReceipt, period?.lowerBound ?? 0) }
    private var isInside: String { "received_at >= \(start) AND received_at < \(end)" }

    /// Rows: what a group of senders shares (`several`, `none`, or its values), and its sums.
    var groups: String {
        let groups = plays.groupNames
        let key = ScopedPlays.key(of: groups)
        // Of two reports with one sequence the first received stands.
        let order = "tuple(sequence, -received_at, -account)"
        func totals(_ name: String) -> [String] {
            let before = "received_at < \(start)"
            return [
                "argMax(\(name), \(order)) AS latest_\(name)",
                "if(countIf(\(before)) > 0, argMaxIf(\(name), \(order), \(before)), 0) AS before_\(name)",
            ]
        }
        let names = ["made", "dropped", "rejected"]
        let made = names.map { "greatest(latest_\($0) - before_\($0), toInt64(0)) AS \($0)" }
        let first = groups.map { "minIf(\($0), left_out = 0) AS first_\($0)" }
        var columns = SumColumns()
        columns.add("count()")
        for name in ["made", "came", "dropped", "rejected"] { columns.addSum(name) }
        columns.addSum("greatest(made - came - dropped - rejected, toInt64(0))")
        columns.addSum("greatest(came - made, toInt64(0))")
        let kind = "multiIf(coalesce(group_count, 0) = 0, 'none', group_count > 1, 'several', 'one')"
        let keys = ["kind"] + groups
        return """
            SELECT \((keys + columns.expressions).joined(separator: ", "))
            FROM (
            SELECT
            \(kind) AS kind, \(groups.map { "if(kind = 'one', first_\($0), '') AS \($0)" }.joined(separator: ", "))\(groups.isEmpty ? "" : ", ")
            \(made.joined(separator: ", ")), coalesce(arrived, toInt64(0)) AS came, coalesce(is_chosen, 0) AS was_chosen
            FROM (
            SELECT sender_id, \(names.flatMap(totals).joined(separator: ", "))
            FROM \(reports)
            WHERE received_at < \(end)
            GROUP BY sender_id
            HAVING countIf(\(isInside)) > 0
            ) AS totals
            ALL LEFT JOIN (
            SELECT
            sender_id, toInt64(uniqExact(arrival)) AS arrived, max(chosen * (1 - left_out)) AS is_chosen,
            uniqExactIf(\(key), left_out = 0) AS group_count\(first.map { ", " + $0 }.joined())
            FROM (
            SELECT sender_id, arrayJoin(range(toUInt64(last_arrival - first_arrival + 1))) + first_arrival AS arrival
            FROM \(reports)
            WHERE \(isInside) AND last_arrival >= first_arrival
            ) AS requests
            ALL INNER JOIN (
            \(plays.arrivals)
            UNION ALL
            \(plays.arrivals(ofPruned: pruned))
            ) AS received USING (arrival)
            GROUP BY sender_id
            ) AS came_in USING (sender_id)
            )
            \(plays.scope.filters.isEmpty ? "" : "WHERE was_chosen = 1\n")GROUP BY \(keys.joined(separator: ", "))
            """
    }

    static func read(_ row: inout RowReader, dimensions: Int) -> SenderSums {
        let kind = row.text().description
        let key = row.key(dimensions)
        var sums = SenderSums(kind == "several" ? .several : kind == "one" ? .one(key) : .unknown)
        sums.senders = row.integer()
        (sums.made, sums.arrived, sums.dropped, sums.rejected) = (row.sum(), row.sum(), row.sum(), row.sum())
        (sums.lost, sums.surplus) = (row.sum(), row.sum())
        return sums
    }
}
