import SQLite
import Testing

@Suite("A connection with a limit of time")
struct PatienceTests {
    @Test("ends a statement that takes longer")
    func limited() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        connection.limit(to: .milliseconds(20))
        let endless = try connection.prepare(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
        let error = #expect(throws: SQLiteError.self) { try endless.step() }
        #expect(error?.isInterrupted == true)
    }

    @Test("lets a short statement through")
    func short() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        connection.limit(to: .seconds(60))
        #expect(try connection.prepare("SELECT 1").step())
    }
}
