import Archive
import Foundation
import PlayStore
import Reports
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite(
    "A database where nothing may be written", .enabled(if: MountedFolder.isPossible, "Mounting needs root."))
struct ReadOnlyTests {
    /// A disk with the database of one play on it, that can't be written.
    private func disk(_ prepare: (String) throws -> Void = { _ in }) throws -> MountedFolder {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId)])
        try fixture.load()
        let disk = try MountedFolder(bytes: 8 << 20)
        let copy = try SQLiteConnection(path: fixture.data.database, mode: .readOnly)
        // Names that mean something in a URI.
        let data = DataPaths(disk.path("a %41?#b"))
        try FileManager.default.createDirectory(atPath: data.archive, withIntermediateDirectories: true)
        try copy.execute("VACUUM INTO '\(data.database)'")
        let new = try SQLiteConnection(path: data.database, mode: .readWrite)
        try new.execute("PRAGMA journal_mode = WAL")
        try prepare(data.database)
        return disk
    }

    private func data(_ disk: MountedFolder) -> DataPaths { DataPaths(disk.path("a %41?#b")) }

    private func plays(_ store: SQLiteReportStore) throws -> Int64 {
        try store.snapshot {
            try store.sums(SumsQuestion(PlayScope(ReportRequest()), periods: [nil]))[0].all.totals[.plays]
        }
    }

    @Test("is read all the same as long as its write-ahead log is empty")
    func readable() throws {
        let disk = try disk()
        try disk.setWritable(false)
        #expect(try plays(SQLiteReportStore(data: data(disk))) == 1)
        #expect(try StorePositions.read(data: data(disk)).plays.offset > 0)
        #expect(try StoreVerifier.run(data: data(disk)).totals.loaded == 1)
    }

    @Test("is not read without what stands in its write-ahead log alone")
    func log() throws {
        let disk = try disk { path in
            try Data("something".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
        }
        try disk.setWritable(false)
        let fault = #expect(throws: SQLiteStoreError.self) { try SQLiteReportStore(data: data(disk)) }
        #expect(fault?.description.contains("qoe.sqlite-wal, which only who may write beside it can read") == true)
    }

    @Test("is not believed when a writer came while it was read")
    func changed() throws {
        let disk = try disk()
        try disk.setWritable(false)
        let store = try SQLiteReportStore(path: data(disk).database)
        try disk.setWritable(true)
        let fault = #expect(throws: SQLiteStoreError.self) {
            try store.snapshot {
                let writer = try SQLiteConnection(path: data(disk).database, mode: .readWrite)
                try writer.execute("CREATE TABLE more (a); PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        #expect(fault?.isBusy == true)
        #expect(try plays(SQLiteReportStore(data: data(disk))) == 1)
    }
}
