import Foundation
import SQLite

/// What a test asks of the database of a data directory.
struct StoredPlays {
    private let connection: SQLiteConnection

    init(data: String) throws {
        connection = try SQLiteConnection(path: data + "/qoe.sqlite", mode: .readOnly)
    }

    /// How often each play id is there.
    func counts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        let rows = try connection.prepare("SELECT play_id FROM plays")
        while try rows.step() { counts[rows.text(0), default: 0] += 1 }
        return counts
    }

    func integrity() throws -> String {
        let check = try connection.prepare("PRAGMA integrity_check")
        return try check.step() ? check.text(0) : "no answer"
    }
}
