import Archive
import Foundation
import PlayStore
import PlaybackEvents
import Reports
import TestSupport

/// A database with some plays, as the follower would have loaded them; it goes with the object.
final class PlayTable {
    private let folder: TemporaryFolder
    let store: SQLiteReportStore

    /// - Parameter plays: in the order of their arrival.
    init(_ plays: [StoredPlay] = []) throws {
        folder = try TemporaryFolder()
        let paths = DataPaths(folder.path)
        let database = try SQLiteStore(data: paths)
        var logged = LoggedPlays()
        for (index, play) in plays.enumerated() {
            let line = try play.line(number: index)
            try logged.append(line: line.span.bytes)
        }
        var gatherer = try database.gatherer()
        let refused = gatherer.gather(logged, unloadable: 0)
        precondition(refused.isEmpty, "a test's plays can be loaded")
        try database.commit(gatherer.seal(), upTo: database.positions)
        store = try SQLiteReportStore(path: paths.database)
    }

    var maker: ReportMaker { ReportMaker(store: store) }
}

extension StoredPlay {
    /// The play as a line of the archive.
    ///
    /// - Parameter number: its place among all, of which its request's id is made.
    fileprivate func line(number: Int) throws -> [UInt8] {
        let digits = String(number, radix: 16)
        let id = String(repeating: "0", count: 32 - digits.count) + digits
        var fields: [String: Any] = [
            "videoId": videoId, "stalls": stalls, "stalledMs": stalledMs, "watchedMs": watchedMs, "endedAt": endedAt,
            "receivedAt": receivedAt, "requestId": id,
        ]
        if !playIdMade {
            let tail = String(repeating: "0", count: 12 - digits.count) + digits
            fields["playId"] = "00000000-0000-4000-8000-\(tail)"
        }
        let optional: [(String, Any?)] = [
            ("sessionId", sessionId), ("cdn", cdn), ("cdnRegion", cdnRegion), ("network", network),
            ("appVersion", appVersion), ("osVersion", osVersion), ("deviceModel", deviceModel), ("player", player),
            ("startupMs", startupMs), ("avgBitrate", avgBitrate), ("bytes", sentBytes), ("error", errorCode),
            ("waitedMs", waitedMs), ("memoryBytes", memoryBytes), ("source", source), ("attempt", attempt),
            ("accessLogStartupMs", accessLogStartupMs), ("playerStalls", playerStalls),
            ("playerStalledMs", playerStalledMs), ("endedBy", endedBy),
            ("regionFrom", cdnRegion == nil ? nil : regionFrom ?? "event"),
            ("clockSkewed", clockSkewed ? true : nil), ("tags", tags.isEmpty ? nil : tags),
        ]
        for (name, value) in optional { if let value { fields[name] = value } }
        return Array(try JSONSerialization.data(withJSONObject: fields, options: [.withoutEscapingSlashes]))
    }
}
