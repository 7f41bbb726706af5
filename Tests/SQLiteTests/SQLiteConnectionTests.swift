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
        try [1, 2, 3].withUnsafeBytes { try insert.bind(3, blob: $0) }
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
}
