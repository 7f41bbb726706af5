import Archive
import Foundation
import PlayStore
import SQLite
import StoreTestSupport
import Testing
import TestSupport

@Suite("A database")
struct OpeningTests {
    private func text(_ fixture: StoreFixture) -> String {
        do {
            _ = try SQLiteStore(data: fixture.data)
            return ""
        } catch {
            return "\(error)"
        }
    }

    private func remove(_ fixture: StoreFixture) throws {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: fixture.data.database + suffix)
        }
    }

    @Test("that is missing is made where there are no plays, and refused where there are")
    func missing() throws {
        let fixture = try StoreFixture()
        try remove(fixture)
        #expect(text(fixture) == "")
        try fixture.receive(events: [event(id: firstId)])
        try remove(fixture)
        #expect(text(fixture).contains("there is no database at \(fixture.data.database)"))
        #expect(text(fixture).contains("qoe rebuild"))
        #expect(!FileManager.default.fileExists(atPath: fixture.data.database))
        let read = #expect(throws: SQLiteStoreError.self) { try SQLiteReportStore(data: fixture.data) }
        #expect(read?.description == text(fixture))
    }

    @Test(
        "that was emptied, overwritten or is another application's is refused", arguments: ["", "no database", "other"])
    func overwritten(kind: String) throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId)])
        try fixture.load()
        try remove(fixture)
        if kind == "other" {
            let other = try SQLiteConnection(path: fixture.data.database, mode: .readWriteCreate)
            try other.execute("CREATE TABLE plays (a)")
        } else {
            try Data(String(repeating: kind, count: 1_000).utf8).write(to: URL(fileURLWithPath: fixture.data.database))
        }
        let words = text(fixture)
        #expect(words.contains(fixture.data.database))
        #expect(words.contains("'qoe rebuild' makes it anew from the archive"))
        let totals = try StoreRebuild.run(data: fixture.data)
        #expect(totals.loaded == 1)
        #expect(text(fixture) == "")
    }

    @Test("that somebody else has locked gives a directory without a manifest no other identity")
    func locked() throws {
        let folder = try TemporaryFolder()
        let data = DataPaths(folder.path("data"))
        let identity = try DataDirectory(data.root).manifest.manifest.identity
        _ = try SQLiteStore(data: data)
        try FileManager.default.removeItem(atPath: data.manifest)
        do {
            let other = try SQLiteConnection(path: data.database, mode: .readWrite)
            try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE totals SET arrivals = arrivals")
            let fault = #expect(throws: DataDirectoryError.self) {
                try DataDirectory(data.root, remembered: EmbeddedChoice().remembered)
            }
            #expect(fault?.description.contains(data.database) == true)
            try other.execute("ROLLBACK")
        }
        #expect(!FileManager.default.fileExists(atPath: data.manifest))
        let directory = try DataDirectory(data.root, remembered: EmbeddedChoice().remembered)
        #expect(directory.manifest.manifest.identity == identity)
    }

    @Test("of a layout that can't be raised is refused, with both layouts", arguments: [-1, 0, 6, 99])
    func otherLayout(found: Int) throws {
        let fixture = try StoreFixture()
        try fixture.write("PRAGMA user_version = \(found)")
        #expect(
            text(fixture)
                == "\(fixture.data.database) has layout \(found), this program needs 5: 'qoe rebuild' makes it anew from the "
                + "archive")
    }

    @Test("of another data directory is refused by who writes and by who reads, and a rebuild mends it")
    func otherDirectory() throws {
        let (fixture, other) = (try StoreFixture(), try StoreFixture())
        for each in [fixture, other] {
            try each.receive(events: [event(id: firstId)])
            try each.load()
        }
        try remove(fixture)
        try FileManager.default.copyItem(atPath: other.data.database, toPath: fixture.data.database)
        #expect(text(fixture).contains("is the database of another data directory"))
        let read = #expect(throws: SQLiteStoreError.self) { try SQLiteReportStore(data: fixture.data) }
        #expect(read?.description == text(fixture))
        #expect(throws: SQLiteStoreError.self) { try StoreVerifier.run(data: fixture.data) }
        try StoreRebuild.run(data: fixture.data)
        #expect(text(fixture) == "")
    }

    @Test("can be read by its user and group alone, with what SQLite keeps beside it")
    func modes() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId)])
        let store = try SQLiteStore(data: fixture.data)
        let (batch, end) = try fixture.batch(for: store)
        try store.commit(batch, upTo: end)
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.data.database + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
        }
    }

    @Test("made anew never meets the write-ahead log of the one before")
    func strayLog() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId)])
        let reader = try fixture.reader()
        try fixture.load()
        #expect(try reader.integer("SELECT count(*) FROM plays") == 1)
        try FileManager.default.removeItem(atPath: fixture.data.database)
        try StoreRebuild.run(data: fixture.data)
        #expect(try fixture.integer("SELECT count(*) FROM plays") == 1)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }
}
