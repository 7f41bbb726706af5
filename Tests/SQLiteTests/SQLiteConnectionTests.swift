import Foundation
import SQLite
import Testing
import TestSupport

@Suite("A SQLite connection")
struct SQLiteConnectionTests {
    @Test("gives back the integers, texts and NULLs that were bound")
    func roundTrip() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        try connection.execute("CREATE TABLE t (a INTEGER, b TEXT, c BLOB)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?)")
        try insert.bind(1, Int64.min)
        try insert.bind(2, "a\u{0}é")
        let bytes: [UInt8] = [1, 2, 3]
        try insert.bind(3, blob: bytes.span.bytes)
        try insert.run()
        try insert.bind(1, nil)
        try insert.bind(2, "")
        try insert.run()

        let select = try connection.prepare("SELECT a, b FROM t ORDER BY a IS NULL")
        #expect(try select.step())
        #expect(select.int(0) == Int64.min)
        #expect(select.text(1) == "a\u{0}é")
        #expect(try select.step())
        #expect(select.intOrNil(0) == nil)
        #expect(select.textOrNil(1) == "")
        #expect(try !select.step())
    }

    @Test("says which statement failed, and why")
    func errors() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        let error = #expect(throws: SQLiteError.self) { try connection.execute("SELECT a FROM nowhere") }
        #expect(error?.message == "no such table: nowhere")
        #expect(error?.statement == "SELECT a FROM nowhere")
    }

    @Test("rolls a transaction back when its body throws")
    func rollback() throws {
        struct Stop: Error {}
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        try connection.execute("CREATE TABLE t (a)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        let count = try connection.prepare("SELECT count(*) FROM t")
        #expect(try count.step())
        #expect(count.int(0) == 0)
    }

    @Test("does not make a file that it was asked to read")
    func missingFile() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SQLiteError.self) { try SQLiteConnection(path: folder.path("none.sqlite"), mode: .readOnly) }
    }

    @Test("reads a borrowed blob when the statement runs")
    func borrowedBlob() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        try connection.execute("CREATE TABLE t (a BLOB)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 2, alignment: 1)
        defer { bytes.deallocate() }
        try insert.bind(1, borrowingBlob: UnsafeRawBufferPointer(bytes))
        for value in [0x01, 0xFF] as [UInt8] {
            bytes[0] = value
            bytes[1] = ~value
            try insert.run()
        }
        let select = try connection.prepare("SELECT hex(a) FROM t ORDER BY rowid")
        #expect(try select.step())
        #expect(select.text(0) == "01FE")
        #expect(try select.step())
        #expect(select.text(0) == "FF00")
    }

    @Test("gives the first integer of a query, 0 without one")
    func integer() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        #expect(try connection.integer("SELECT 41 + 1, 7") == 42)
        #expect(try connection.integer("SELECT 1 WHERE 0") == 0)
    }

    @Test("tells a lock, a full disk, a damaged file and one that is no database apart")
    func kinds() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.sqlite")
        let one = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try one.execute("PRAGMA max_page_count = 2; CREATE TABLE t (a)")
        let full = #expect(throws: SQLiteError.self) {
            try one.execute("INSERT INTO t VALUES (zeroblob(100000))")
        }
        #expect(full?.isFull == true && full?.isBusy == false)
        try one.execute("BEGIN IMMEDIATE")
        let other = try SQLiteConnection(path: path, mode: .readWrite, busyTimeoutMs: 0)
        let busy = #expect(throws: SQLiteError.self) { try other.execute("BEGIN IMMEDIATE") }
        #expect(busy?.isBusy == true && busy?.isFull == false)

        let text = folder.path("b.sqlite")
        try Data(String(repeating: "no database", count: 100).utf8).write(to: URL(fileURLWithPath: text))
        let foreign = #expect(throws: SQLiteError.self) {
            try SQLiteConnection(path: text, mode: .readOnly).execute("SELECT * FROM t")
        }
        #expect(foreign?.isNoDatabase == true && foreign?.isCorrupt == false)
    }
}
