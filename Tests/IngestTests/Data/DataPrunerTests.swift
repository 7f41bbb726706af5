import Archive
import Foundation
import Ingest
import PlaybackEvents
import PlayStore
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

    @Test("is refused while another has the directory")
    func locked() throws {
        let keeper = try data.open { keeper in keeper }
        #expect(throws: DataDirectoryError.self) { try prune(keeping: 2) }
        withExtendedLifetime(keeper) {}
    }
}
