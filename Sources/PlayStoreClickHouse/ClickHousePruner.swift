internal import Archive
internal import ClickHouse
internal import PlayStore
internal import SQLite

/// Removes old days from a ClickHouse store: whole partitions, whoever put them in.
enum ClickHousePruner {
    static func run(
        _ data: DataPaths, _ client: ClickHouseClient, before day: Int64
    ) throws -> Int64 {
        let store = try ClickHouseLayout(client).check()
        // The record is this data directory's alone, and says what it need not find in the store any more.
        guard try ClickHouseRecord.existing(data).identity.store == store else { throw ClickHouseFault.notFed }
        let record = try ClickHouseRecord(path: data.clickHouseRecord, mode: .readWrite)
        var totals = try record.totals()
        totals.prunedBefore = max(totals.prunedBefore ?? .min, day * 24)
        try record.set(totals)
        let removed = try ClickHouseRows(client).removePlays(before: day)
        try record.forget(before: day * 24)
        return removed
    }
}
