import SQLite
import Testing

@Suite("Rows handed over inside SQLite's loop")
struct SQLiteRowLoopTests {
    private static func numbers(_ count: Int) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        try connection.execute(
            """
            CREATE TABLE numbers (n INTEGER PRIMARY KEY, half INTEGER);
            INSERT INTO numbers
            WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r WHERE n + 1 < \(count))
            SELECT n, CASE WHEN n % 2 = 0 THEN n / 2 END FROM r;
            """)
        return connection
    }

    private struct Enough: Error {}

    @Test("come all and in their order, NULL as -1", arguments: [1, 63, 64, 65, 1_000])
    func order(_ count: Int) throws {
        let loop = try SQLiteRowLoop(Self.numbers(count))
        var rows: [[Int64]] = []
        try loop.rows(["n", "half"], from: "numbers") { rows.append([$0[0], $0[1]]) }
        #expect(rows == (0..<Int64(count)).map { [$0, $0 % 2 == 0 ? $0 / 2 : -1] })
        rows = []
        try loop.rows(["n"], from: "numbers WHERE n < 0") { rows.append([$0[0]]) }
        #expect(rows == [])
    }

    @Test("end with the error that a visit throws, early or after the last row", arguments: [0, 100, 199])
    func visitor(_ last: Int64) throws {
        let loop = try SQLiteRowLoop(Self.numbers(200))
        var count: Int64 = 0
        #expect(throws: Enough.self) {
            try loop.rows(["n"], from: "numbers") { row in
                count += 1
                if row[0] == last { throw Enough() }
            }
        }
        #expect(count == last + 1)
        count = 0
        try loop.rows(["n"], from: "numbers") { _ in count += 1 }
        #expect(count == 200)
    }

    @Test("let the connection run other statements meanwhile")
    func nested() throws {
        let connection = try Self.numbers(200)
        let loop = try SQLiteRowLoop(connection)
        var sum: Int64 = 0
        try loop.rows(["n"], from: "numbers") { row in
            sum += try connection.integer("SELECT n FROM numbers WHERE n = \(row[0])")
        }
        #expect(sum == 199 * 100)
    }

    @Test("end when the time that a connection has is over, and say what SQLite says of a bad query")
    func errors() throws {
        let connection = try Self.numbers(10)
        let loop = try SQLiteRowLoop(connection)
        #expect(throws: SQLiteError.self) { try loop.rows(["nothing"], from: "numbers") { _ in } }
        connection.limit(to: .milliseconds(20))
        let error = #expect(throws: SQLiteError.self) {
            try loop.rows(
                ["a.n"],
                from: (0..<9).map { "numbers AS \(["a", "b", "c", "d", "e", "f", "g", "h", "i"][$0])" }
                    .joined(separator: ", ")
            ) { _ in }
        }
        #expect(error?.isInterrupted == true)
    }
}
