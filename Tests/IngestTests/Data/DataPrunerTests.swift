import Archive
import Foundation
import Ingest
import PlaybackEvents
import PlayFolding
import PlayStore
import SQLite
import Testing

@Suite("Pruning of a data directory")
struct DataPrunerTests {
    private let data: DataFolder
    private static let today = UTCDay(holding: DataFolder.morning)

    /// A request of each of five days: a play of that day, one of the day before, and a rejected event.
    init() throws {
        data = try DataFolder()
        for back in (0..<5).reversed() { try receive(back) }
    }

    private func receive(_ back: Int) throws {
        let receipt = Receipt.number(UInt64(back), at: DataFolder.morning - Int64(back) * DataFolder.day)
        try data.receive(#"{"events":[\#(event()),\#(event(#""ageMs":86400000"#)),{}]}"#, receipt)
    }

    private func prune(keeping days: Int, archiveToo: Bool = true) throws -> DataPruner.Removed {
        let first = UTCDay(number: Self.today.number - Int64(days))
        return try DataPruner.prune(data.paths.root, before: first, archiveToo: archiveToo)
    }

    private func findings() throws -> [String] {
        try DataVerifier(data.paths, patienceMs: 0, sleep: { _ in }).verify().findings
    }

    private func days() throws -> [String] {
        try data.rows("SELECT day FROM plays ORDER BY day").map { row in
            UTCDay(number: Int64(row[0]) ?? 0).description
        }
    }

    @Test("takes old days out of the database alone, and what it then holds agrees with the archive")
    func databaseAlone() throws {
        let removed = try prune(keeping: 2, archiveToo: false)
        #expect(removed.plays == 5)
        #expect(removed.archive.files == 0 && removed.quarantine.files == 0)
        #expect(try days() == ["2026-11-27", "2026-11-27", "2026-11-28", "2026-11-28", "2026-11-29"])
        #expect(try findings() == [])
    }

    @Test("takes whole files of old days of receipt out of both logs, and their plays are gone from the database")
    func bothLogs() throws {
        let removed = try prune(keeping: 2)
        #expect(removed.archive.files == 2 && removed.quarantine.files == 2)
        #expect(removed.archive.bytes > 0)
        for log in LogKind.followed {
            let list = try SegmentList(directory: data.paths.log(log), kind: log)
            #expect(list.segments.map(\.sequence) == [3, 4, 5] && list.strangers == [])
        }
        #expect(try findings() == [])
        let again = try prune(keeping: 2)
        #expect(again.plays == 0 && again.archive.files == 0 && again.quarantine.files == 0)
    }

    @Test("leaves a log that goes on: new plays are loaded, verified, and in the database that is made anew")
    func goesOn() throws {
        _ = try prune(keeping: 1)
        try data.receive(#"{"events":[\#(event())]}"#, .number(9))
        #expect(try findings() == [])
        let plays = "SELECT play_id, ended_at, received_at FROM plays ORDER BY hour, play_id"
        let kept = try data.rows(plays)
        try data.rebuild()
        // A late play of a pruned day is in a file that stayed, and comes back.
        let rebuilt = try data.rows(plays)
        #expect(kept.allSatisfy(rebuilt.contains))
        #expect(rebuilt.count == kept.count + 1)
        #expect(try prune(keeping: 1).plays == 1)
        #expect(try data.rows(plays) == kept)
        #expect(try findings() == [])
    }

    @Test("never takes a file that the database has not read")
    func unreadFiles() throws {
        let other = try DataFolder()
        try other.open { keeper in
            for back in (0..<5).reversed() {
                let receipt = Receipt.number(UInt64(back), at: DataFolder.morning - Int64(back) * DataFolder.day)
                let lines = try Intake.judge(Array(#"{"events":[\#(event()),{}]}"#.utf8), receipt: receipt).lines
                try keeper.committer.commit(lines)
                if back == 3 { try keeper.follower.followToEnd() }
            }
        }
        let removed = try DataPruner.prune(other.paths.root, before: Self.today, archiveToo: true)
        // The first file has been read; in the second the database stands.
        #expect(removed.archive.files == 1 && removed.quarantine.files == 1)
        try other.open { keeper in try keeper.follower.followToEnd() }
        #expect(try other.rows("SELECT loaded, pruned FROM totals") == [["5", "2"]])
    }

    /// Reports of players on each of five days, whose plays have closed.
    private func report() throws {
        for back in (0..<5).reversed() {
            let time = DataFolder.morning - Int64(back) * DataFolder.day
            var lines = LogLines(receivedAt: time)
            var line = ReportLine(receivedAt: time, requestId: Identifier128(high: 9, low: UInt64(back)))
            line.reports = [CMCDReport(ts: time, sid: Array("s\(back)".utf8), cid: Array("c".utf8))]
            line.append(to: &lines.reports)
            try data.open { keeper in
                try keeper.committer.commit(lines)
                try keeper.folder.foldToEnd(closing: true)
                try keeper.follower.followToEnd()
            }
        }
    }

    private func reportFiles() throws -> [Int64: Int64] {
        let list = try SegmentList(directory: data.paths.reports, kind: .reports)
        return try list.segments.reduce(into: [:]) { sizes, segment in
            let size = try FileManager.default.attributesOfItem(atPath: list.path(of: segment))[.size] as? Int64
            sizes[segment.sequence] = size
        }
    }

    private func pruneReports(
        keeping days: Int, store: any StoreChoice = EmbeddedChoice()
    ) throws -> DataPruner.Removed {
        try DataPruner.prune(
            data.paths.root, store: store, before: UTCDay(number: 1), archiveToo: false,
            reportsBefore: UTCDay(number: Self.today.number - Int64(days)))
    }

    @Test("takes old files of players' reports alone, says how many and of how many bytes, and leaves every play")
    func reportsAlone() throws {
        try report()
        let before = try reportFiles()
        #expect(before.count == 5)
        let plays = try data.rows("SELECT play_id, ended_at FROM plays ORDER BY hour, play_id")
        let removed = try pruneReports(keeping: 2)
        var expected = DataPruner.Removed()
        expected.reports = LogPruner.Removed(files: 2, bytes: (before[1] ?? 0) + (before[2] ?? 0))
        #expect(removed == expected)
        #expect(try reportFiles() == before.filter { $0.key > 2 })
        #expect(try data.rows("SELECT play_id, ended_at FROM plays ORDER BY hour, play_id") == plays)
        #expect(try findings() == [])
        #expect(try pruneReports(keeping: 2) == DataPruner.Removed())
    }

    @Test("says what reports were removed though the disk has no room for the database's part of the work")
    func reportsOnFullDisk() throws {
        try report()
        let full = StubbedStore(beforePruning: { throw SQLiteError(code: 13, message: "disk is full", statement: "") })
        let removed = try pruneReports(keeping: 2, store: full)
        #expect(removed.reports.files == 2 && removed.databaseFault == "disk is full")
        // Without anything that was removed it is a failure.
        #expect(throws: SQLiteError.self) { try pruneReports(keeping: 2, store: full) }
        let broken = StubbedStore(beforePruning: { throw SQLiteStoreError.outOfPatience })
        #expect(throws: SQLiteStoreError.self) { try pruneReports(keeping: 1, store: broken) }
    }

    @Test("is refused while another has the directory")
    func locked() throws {
        let keeper = try data.open { keeper in keeper }
        #expect(throws: DataDirectoryError.self) { try prune(keeping: 2) }
        withExtendedLifetime(keeper) {}
    }
}
