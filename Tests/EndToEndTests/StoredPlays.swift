import Foundation
import SQLite
import TestSupport

/// What a test asks of the database of a data directory.
struct StoredPlays {
    private let connection: SQLiteConnection
    private let path: String

    init(data: String) throws {
        path = data + "/qoe.sqlite"
        connection = try SQLiteConnection(path: path, mode: .readOnly)
    }

    /// How often each play id is there.
    func counts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let rows = try connection.prepare("SELECT play_id FROM plays")
        while try rows.step() { counts[rows.text(0), default: 0] += 1 }
        return counts
    }

    /// Every play's figures, in the order of arrival.
    func figures() throws -> [PlayFigures] {
        try rows("SELECT * FROM plays ORDER BY arrival").compactMap(PlayFigures.init)
    }

    /// The columns of one play as texts; those that are NULL are absent.
    func play(_ id: String) throws -> [String: String] {
        try rows("SELECT * FROM plays WHERE play_id = '\(id)'").first ?? [:]
    }

    /// The rows of a query as texts by column; what is NULL is absent.
    func rows(_ sql: String) throws -> [[String: String]] {
        let script = """
            import json, sqlite3, sys
            connection = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
            connection.row_factory = sqlite3.Row
            print(json.dumps([dict(row) for row in connection.execute(sys.argv[2])]))
            """
        let result = try BuiltProgram.run("python3", ["-c", script, path, sql])
        guard result.status == 0 else { throw WaitedInVain("the query: \(result.errors)") }
        let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
        return (json as? [[String: Any]] ?? []).map { row in
            row.compactMapValues { $0 is NSNull ? nil : "\($0)" }
        }
    }

    func integrity() throws -> String {
        let check = try connection.prepare("PRAGMA integrity_check")
        return try check.step() ? check.text(0) : "no answer"
    }
}
