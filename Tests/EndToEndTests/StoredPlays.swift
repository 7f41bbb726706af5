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

    /// Every play's figures, in the order of arrival.
    func figures() throws -> [PlayFigures] {
        try PlayFigures.all(in: connection)
    }

    /// The first column of a query's rows.
    func column(_ sql: String) throws -> [String] {
        var values: [String] = []
        let rows = try connection.prepare(sql)
        while try rows.step() { values.append(rows.text(0)) }
        return values
    }

    /// How many plays came again: with the same content, and with another.
    func repeats() throws -> (duplicates: Int, conflicts: Int) {
        let rows = try connection.prepare("SELECT sum(duplicates), sum(conflicts) FROM repeats")
        return try rows.step() ? (Int(rows.int(0)), Int(rows.int(1))) : (0, 0)
    }

    func integrity() throws -> String {
        let check = try connection.prepare("PRAGMA integrity_check")
        return try check.step() ? check.text(0) : "no answer"
    }
}
