import Archive
import Foundation
import Ingest
import SQLite
import Testing
import TestSupport

@Suite("The endpoint, over HTTP")
struct ValidationCaseTests {
    @Test("makes of every golden case what the contract says", arguments: ValidationCase.all)
    func golden(_ validation: ValidationCase) throws {
        let receivedAt = validation.receivedAt ?? 1_796_000_000_000
        let running = try RunningServer(now: { receivedAt })
        let response = try running.connect().post("/v1/playback-events", validation.body)
        #expect(response.status == validation.status)
        let answer = try #require(try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
        if validation.status == 202 {
            #expect(answer["accepted"] as? Int == validation.accepted)
        } else {
            #expect(answer["error"] as? String == validation.error)
            if let offset = validation.offset { #expect(answer["offset"] as? Int == offset) }
        }
        let rejected = (answer["rejected"] as? [[String: Any]] ?? []).map { entry in
            ValidationCase.Rejected(
                index: entry["index"] as? Int ?? -1, code: entry["code"] as? String ?? "",
                field: entry["field"] as? String ?? "?")
        }
        #expect(rejected == validation.rejected)
        guard let data = validation.stored,
            let stored = try JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        else { return }
        try running.server.waitForFollower()
        var rows = try StoredRows(data: running.data).all()
        // The age is archived; the database keeps what follows from it.
        if stored.contains(where: { $0["ageMs"] != nil }) {
            for (index, line) in try archivedLines(data: running.data).enumerated() {
                rows[index]["ageMs"] = line["ageMs"] ?? NSNull()
            }
        }
        #expect(rows.count == stored.count)
        for (row, wanted) in zip(rows, stored) {
            for (field, value) in wanted {
                #expect(StoredRows.describe(row[field]) == StoredRows.describe(value), "\(field)")
            }
        }
    }
}

/// The lines of an archive in order.
private func archivedLines(data: String) throws -> [[String: Any]] {
    let chunk = try LogReader(directory: DataPaths(data).archive).next(after: .beginning, maxBytes: .max)
    return try (chunk?.lines ?? []).split(separator: 0x0A).map { line in
        try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
    }
}

/// The plays of a database in order of arrival, by the contract's names.
struct StoredRows {
    private static let columns = [
        "videoId": "video_id", "stalls": "stalls", "stalledMs": "stalled_ms", "watchedMs": "watched_ms",
        "startupMs": "startup_ms", "avgBitrate": "avg_bitrate", "error": "error_code", "sessionId": "session_id",
        "bytes": "CASE WHEN bytes_estimated = 0 THEN bytes END", "memoryBytes": "memory_bytes", "waitedMs": "waited_ms",
        "accessLogStartupMs": "access_log_startup_ms", "attempt": "attempt", "playerStalls": "player_stalls",
        "playerStalledMs": "player_stalled_ms", "cdn": "cdn", "cdnRegion": "cdn_region",
        "network": "network", "source": "source", "appVersion": "app_version", "osVersion": "os_version",
        "deviceModel": "device_model", "player": "player", "tags": "tags", "endedAt": "ended_at",
        "clockSkewed": "clock_skewed", "playId": "CASE WHEN play_id_made = 0 THEN play_id END",
    ]

    private let connection: SQLiteConnection

    init(data: String) throws {
        connection = try SQLiteConnection(path: data + "/qoe.sqlite", mode: .readOnly)
    }

    func all() throws -> [[String: Any]] {
        let fields = Self.columns.sorted { $0.key < $1.key }
        let select = fields.map(\.value).joined(separator: ", ")
        let statement = try connection.prepare("SELECT \(select) FROM plays ORDER BY arrival")
        var rows: [[String: Any]] = []
        while try statement.step() {
            var row: [String: Any] = [:]
            for (column, field) in fields.enumerated() {
                switch field.key {
                case _ where statement.isNull(column): row[field.key] = NSNull()
                case "tags":
                    row["tags"] = try JSONSerialization.jsonObject(with: Data(statement.text(column).utf8))
                case "clockSkewed": row["clockSkewed"] = statement.int(column) == 1 ? "true" : "false"
                default: row[field.key] = statement.text(column)
                }
            }
            rows.append(row)
        }
        return rows
    }

    /// A value's text, the same for a number and its decimal digits; texts keep their scalars.
    static func describe(_ value: Any?) -> [UInt8] {
        switch value {
        case nil, is NSNull: return Array("absent".utf8)
        case let number as NSNumber where String(cString: number.objCType) == "c":
            return Array((number.boolValue ? "true" : "false").utf8)
        case let tags as [String: String]:
            return Array(tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value);" }.joined().utf8)
        case let text?: return Array("\(text)".utf8)
        }
    }
}
