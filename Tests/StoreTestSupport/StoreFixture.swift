package import Archive
internal import Foundation
package import PlayStore
package import PlaybackEvents
package import SQLite
package import TestSupport

/// A data directory with a committer, and a way to put requests into it.
package final class StoreFixture: @unchecked Sendable {
    /// 2026-11-29T10:30:00Z.
    package static let halfPastTen: Int64 = 1_795_948_200_000
    package static let hour: Int64 = 3_600_000
    package static let minute: Int64 = 60_000

    package let folder: TemporaryFolder
    package let directory: DataDirectory
    package let committer: Committer
    /// How stores are opened.
    package var store = StoreConfiguration()
    private var requests: UInt64 = 0

    package init() throws {
        folder = try TemporaryFolder()
        directory = try DataDirectory(folder.path("data"))
        _ = try SQLiteStore(data: directory.paths)
        var configuration = CommitterConfiguration()
        configuration.files.sync = { _ in 0 }
        committer = try Committer(directory: directory, configuration: configuration)
    }

    deinit {
        committer.stop()
    }

    package var data: DataPaths { directory.paths }

    /// Judges a request as the server does, and commits what is left of it.
    @discardableResult
    package func receive(
        _ body: String, at receivedAt: Int64 = halfPastTen, region: String? = nil, requestId: Identifier128? = nil,
        replayed: Bool = false
    ) throws -> PlayBatch {
        requests += 1
        let receipt = Receipt(
            receivedAt: receivedAt, requestId: requestId ?? Identifier128(high: 7, low: requests),
            regionHeader: region.map { Array($0.utf8) })
        let body = Array(body.utf8)
        let batch = try RequestDecoder.decode(body, receipt: receipt)
        var lines = LogLines(receivedAt: receivedAt)
        ArchiveLine.append(batch, to: &lines.plays, everyIndex: replayed)
        QuarantineLine.append(batch, body: body, to: &lines.rejected)
        try committer.commit(lines)
        return batch
    }

    /// A request of these events.
    @discardableResult
    package func receive(events: [String], at receivedAt: Int64 = halfPastTen, region: String? = nil) throws
        -> PlayBatch
    {
        try receive(#"{"events":[\#(events.joined(separator: ","))]}"#, at: receivedAt, region: region)
    }

    /// Puts lines into the log as they are.
    package func append(_ lines: String, at receivedAt: Int64 = halfPastTen) throws {
        try committer.commit(LogLines(plays: Array(lines.utf8), receivedAt: receivedAt))
    }

    /// Loads all there is, in a store that is opened and closed for it.
    @discardableResult
    package func load(_ configuration: FollowerConfiguration = .init()) throws -> StoreTotals {
        let follower = Follower(
            store: try SQLiteStore(data: data, configuration: store), data: data, configuration: configuration)
        try follower.followToEnd()
        return follower.status.totals
    }

    /// Gathers what the plays' log holds after the store's place, and seals it.
    ///
    /// - Returns: what the store may commit then, and the places up to which.
    package func batch(for store: SQLiteStore) throws -> (batch: GatheredBatch, end: LogPositions) {
        var gatherer = try store.gatherer()
        let end = try gather(into: &gatherer, after: store.positions)
        return (gatherer.seal(), end)
    }

    /// Gathers what the plays' log holds after a place.
    ///
    /// - Returns: up to where that is.
    package func gather(into gatherer: inout PlayGatherer, after start: LogPositions) throws -> LogPositions {
        var positions = start
        let reader = LogReader(directory: data.archive)
        while let chunk = try reader.next(after: positions.plays, maxBytes: 1 << 20) {
            var lines = LoggedPlays()
            for line in chunk.lines.split(separator: UInt8(ascii: "\n")) {
                try lines.append(line: Array(line).span.bytes)
            }
            _ = gatherer.gather(lines, unloadable: 0)
            positions.plays = chunk.end
        }
        return positions
    }

    // MARK: Looking into the database

    package func reader() throws -> SQLiteConnection {
        try SQLiteConnection(path: data.database, mode: .readOnly)
    }

    package func integer(_ sql: String) throws -> Int64 {
        try reader().integer(sql)
    }

    /// The rows of a query, each column as text, NULL as "NULL".
    package func rows(_ sql: String) throws -> [[String]] {
        let statement = try reader().prepare(sql)
        var rows: [[String]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.textOrNil($0) ?? "NULL" })
        }
        return rows
    }

    package func columns(of table: String) throws -> [String] {
        try rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid").map { $0[0] }
    }

    /// Changes the database behind the store's back.
    package func write(_ sql: String) throws {
        try SQLiteConnection(path: data.database, mode: .readWrite).execute(sql)
    }

    /// Overwrites the root page of the plays' table.
    package func damageDatabase() throws {
        try write("PRAGMA wal_checkpoint(TRUNCATE)")
        let page = try integer("SELECT rootpage FROM sqlite_schema WHERE name = 'prompt_plays'")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: data.database))
        try file.seek(toOffset: UInt64(page - 1) * 16_384)
        try file.write(contentsOf: Data(repeating: 0x55, count: 4_096))
        try file.close()
    }

    /// Everything that readers see, in one text.
    package func dump() throws -> String {
        let tables = [
            "plays ORDER BY hour, play_id", "accounts ORDER BY account", "rejections ORDER BY hour, code",
            "repeats ORDER BY hour", "hours ORDER BY hour", "log_places ORDER BY log", "totals",
            "receipt_dated_plays ORDER BY play_id",
        ]
        return try tables.map { table in
            let rows = try rows("SELECT * FROM \(table)").map { $0.joined(separator: "|") }
            return ([table] + rows).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}

/// One event of a request.
package func event(_ fields: String = "", watched: Int = 20_000) -> String {
    #"{"videoId":"v1","stalls":0,"stalledMs":0,"watchedMs":\#(watched)\#(fields.isEmpty ? "" : ",")\#(fields)}"#
}

/// An event with an identifier.
package func event(id: String, _ fields: String = "", watched: Int = 20_000) -> String {
    event(#""playId":"\#(id)"\#(fields.isEmpty ? "" : ",")\#(fields)"#, watched: watched)
}

package let firstId = "01930000-0000-7000-8000-000000000001"
package let secondId = "01930000-0000-7000-8000-000000000002"
