import Archive
import Foundation
import Ingest
import PlaybackEvents
import PlayStore
import SQLite
import TestSupport

/// A data directory of its own, filled by the code of the server without a server.
final class DataFolder {
    /// 2026-11-29T10:30:00Z, ms since 1970.
    static let morning: Int64 = 1_795_948_200_000
    static let day: Int64 = 86_400_000

    let folder: TemporaryFolder
    let paths: DataPaths

    init() throws {
        folder = try TemporaryFolder()
        paths = DataPaths(folder.path("data"))
    }

    /// Opens it for writing, as a server or a command does, as long as `body` runs.
    func open<Result>(
        _ committing: CommitterConfiguration = .init(), _ body: (DataKeeper) throws -> Result
    ) throws -> Result {
        let keeper = try DataKeeper(paths.root, committing: committing) { Self.morning }
        defer { keeper.stop() }
        return try body(keeper)
    }

    /// Takes a request in, and loads it.
    func receive(_ body: String, _ receipt: Receipt) throws {
        try open { keeper in
            try keeper.committer.commit(try Intake.judge(Array(body.utf8), receipt: receipt).lines)
            try keeper.follower.followToEnd()
        }
    }

    /// Puts lines into the quarantine as they are.
    func quarantine(_ lines: [QuarantineLine]) throws {
        try open { keeper in
            for line in lines {
                var rejected: [UInt8] = []
                line.append(to: &rejected)
                try keeper.committer.commit(LogLines(rejected: rejected, receivedAt: line.receivedAt))
            }
            try keeper.follower.followToEnd()
        }
    }

    /// Makes the database anew.
    func rebuild() throws {
        let directory = try DataDirectory(paths.root)
        _ = try withExtendedLifetime(directory) { try StoreRebuild.run(data: paths) }
    }

    /// Every line of a log, as text.
    func lines(_ log: LogKind = .plays) throws -> [String] {
        var lines: [String] = []
        _ = try ArchiveVerifier(paths).verify(visit: { kind, bytes in
            if kind == log { lines += bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) } }
        })
        return lines
    }

    /// The rows of a query of the database, each column as text, NULL as "NULL".
    func rows(_ sql: String) throws -> [[String]] {
        let statement = try SQLiteConnection(path: paths.database, mode: .readOnly).prepare(sql)
        var rows: [[String]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { statement.textOrNil($0) ?? "NULL" })
        }
        return rows
    }

    /// The path of a log's only file of that number.
    func file(_ sequence: Int64, of log: LogKind = .plays) throws -> String {
        let list = try SegmentList(directory: paths.log(log), kind: log)
        guard let segment = list.segment(sequence) else { throw CocoaError(.fileNoSuchFile) }
        return list.path(of: segment)
    }

    /// Changes the bytes of a file.
    func edit(_ path: String, _ change: (inout Data) -> Void) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        change(&bytes)
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}

extension Receipt {
    /// The receipt of the request of that number.
    static func number(
        _ number: UInt64, at receivedAt: Int64 = DataFolder.morning, region: String? = nil
    ) -> Receipt {
        Receipt(
            receivedAt: receivedAt, requestId: Identifier128(high: 7, low: number),
            regionHeader: region.map { Array($0.utf8) })
    }
}

/// One event of a request.
func event(_ members: String...) -> String {
    "{" + (members + [#""videoId":"v1","stalls":0,"stalledMs":0,"watchedMs":20000"#]).joined(separator: ",") + "}"
}
