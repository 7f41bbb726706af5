internal import SQLite

/// Reads the columns that a report needs, and does nothing with them: what SQLite itself takes.
enum BareScan {
    private static let columns = [
        "hour", "ended_ms", "lag_ms", "arrival", "delivery", "run", "startup_ms", "stalls", "stalled_ms", "watched_ms",
        "avg_bitrate", "bytes", "error", "flags", "waited_ms", "memory_bytes", "attempt", "access_log_startup_ms",
        "video",
        "tag_set",
    ]

    /// - Parameter database: the store's file.
    /// - Returns: a sum of everything, so that all of it has been read.
    static func run(_ database: String) throws -> Int64 {
        let connection = try SQLiteConnection(path: database, mode: .readOnly)
        var sum: Int64 = 0
        for table in ["prompt_plays", "delayed_plays"] {
            let rows = try connection.prepare("SELECT \(columns.joined(separator: ", ")) FROM \(table)")
            while try rows.step() {
                for column in columns.indices { sum &+= rows.int(column) }
            }
        }
        return sum
    }
}
