import Archive
import Foundation
import PlayStore
import PlaybackEvents
import Reports
import SQLite
import TestSupport
import Testing

/// A case's requests, judged, logged and loaded as a server does it, in a database that goes with the object.
final class CaseStore {
    private let folder: TemporaryFolder
    private let database: SQLiteStore
    private var gatherer: PlayGatherer
    private var lines: [[UInt8]]
    private var loaded = 0
    private var requestsAdded: UInt64 = 0
    private var rejected: [String: Int64] = [:]
    let store: SQLiteReportStore

    /// - Parameter requests: how many of the case's requests to load; nil for all.
    init(_ name: String, requests: Int? = nil) throws {
        folder = try TemporaryFolder()
        let paths = DataPaths(folder.path)
        database = try SQLiteStore(data: paths)
        gatherer = try database.gatherer()
        let input = Checkout.cases.appendingPathComponent("reports/\(name)/input.ndjson")
        lines = try Data(contentsOf: input).split(separator: UInt8(ascii: "\n")).map(Array.init)
        store = try SQLiteReportStore(path: paths.database)
        try load(upTo: requests ?? lines.count)
    }

    var requests: Int { lines.count }

    /// Loads more of the case's requests.
    func load(upTo end: Int) throws {
        for index in loaded..<end {
            for code in try Self.load(lines[index], UInt64(index + 1), into: &gatherer) {
                rejected[code, default: 0] += 1
            }
        }
        loaded = end
        try database.commit(gatherer.seal(), upTo: database.positions)
    }

    /// Adds a request of one play in `eu-west`, received when it ended, under an id of its own.
    ///
    /// - Parameters:
    ///   - time: RFC 3339.
    ///   - tags: the play's tags as JSON.
    func addPlay(at time: String, id: UInt64 = .random(in: 0 ... .max), tags: String = "{}") throws {
        requestsAdded += 1
        let sender =
            #""senderId": "s", "sequence": \#(requestsAdded), "made": \#(requestsAdded), "dropped": 0, "rejected": 0"#
        let event =
            #""videoId": "v", "cdnRegion": "eu-west", "stalls": 0, "stalledMs": 0, "watchedMs": 9, "ageMs": 0, "tags": \#(tags)"#
        let receivedAt = try #require(Timestamp.milliseconds(time))
        let line = #"{"receivedAt": \#(receivedAt), "body": {"sender": {\#(sender)}, "events": [{\#(event)}]}}"#
        _ = try Self.load(Array(line.utf8), id, into: &gatherer)
        try database.commit(gatherer.seal(), upTo: database.positions)
    }

    /// Removes the plays of the days before one, UTC days since 1970.
    func prune(before day: Int64) throws {
        try database.prune(before: day)
        gatherer = try database.gatherer()
    }

    /// - Returns: the codes of the events that were rejected.
    private static func load(_ line: [UInt8], _ number: UInt64, into gatherer: inout PlayGatherer) throws -> [String] {
        let request = try ImportLine.parse(line)
        let receipt = Receipt(
            receivedAt: request.receivedAt ?? 0, requestId: Identifier128(high: 1, low: number),
            regionHeader: request.regionHeader)
        let batch = try RequestDecoder.decode(Array(line[request.body]), receipt: receipt)
        var lines: [UInt8] = []
        ArchiveLine.append(batch, to: &lines)
        var logged = LoggedPlays()
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            try logged.append(line: Array(line).span.bytes)
        }
        _ = gatherer.gather(logged, unloadable: 0)
        var rejections = RejectionTally()
        for rejection in batch.rejections {
            rejections.add(code: rejection.code.rawValue, receivedAt: receipt.receivedAt)
        }
        gatherer.gather(rejections)
        return batch.rejections.map(\.code.rawValue)
    }

    /// What `counts.json` of a case says.
    func counts() throws -> GoldenCounts.Counts {
        let totals = database.totals
        let (connection, lost) = (try connection(), rejected.values.reduce(0, +))
        func plays(_ condition: String) throws -> Int64 {
            try connection.integer("SELECT count(*) FROM plays WHERE \(condition)")
        }
        return GoldenCounts.Counts(
            received: totals.arrivals + lost, accepted: totals.arrivals, rejected: lost, rejectedByCode: rejected,
            stored: try plays("1"), duplicates: totals.duplicates, conflicts: totals.conflicts,
            withoutPlayId: try plays("play_id_made = 1"), withoutRegion: try plays("cdn_region IS NULL"),
            clockSkewed: try plays("clock_skewed = 1"),
            startupNotMeasured: try plays("startup_ms IS NULL AND watched_ms > 0"),
            asOf: try plays("1") == 0 ? nil : connection.integer("SELECT max(received_at) FROM plays"))
    }

    func connection() throws -> SQLiteConnection {
        try SQLiteConnection(path: DataPaths(folder.path).database, mode: .readOnly)
    }

    var maker: ReportMaker { ReportMaker(store: store) }
}
