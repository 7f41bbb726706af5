internal import Foundation
internal import Platform
internal import SQLite

/// Reads the columns that a report by region needs, row by row, and does nothing with them: what SQLite itself takes.
enum BareScan {
    private static let columns = [
        "hour", "ended_ms", "lag_ms", "arrival", "delivery", "run", "startup_ms", "stalls", "stalled_ms", "watched_ms",
        "avg_bitrate", "bytes", "error", "flags", "waited_ms", "memory_bytes", "attempt", "access_log_startup_ms",
        "player_stalls", "player_stalled_ms",
    ]

    /// What a scan took.
    struct Cost {
        var seconds = 0.0
        var processorSeconds = 0.0
    }

    /// Scans on one thread or on two, each of which reads half of the hours.
    ///
    /// - Parameter database: the store's file.
    static func run(_ database: String, threads: Int) throws -> Cost {
        let (start, processor) = (SystemClock.monotonic, SystemClock.ofProcess)
        let connection = try SQLiteConnection(path: database, mode: .readOnly)
        let middle = try connection.integer("SELECT (min(hour) + max(hour)) / 2 FROM hours")
        let conditions = threads == 1 ? [""] : [" WHERE hour < \(middle)", " WHERE hour >= \(middle)"]
        _ = try conditions.parallelMap { try sum(database, $0) }
        return Cost(
            seconds: Double(SystemClock.monotonic - start) / 1e9,
            processorSeconds: Double(SystemClock.ofProcess - processor) / 1e9)
    }

    /// - Returns: a sum of everything, so that all of it has been read.
    private static func sum(_ database: String, _ condition: String) throws -> Int64 {
        let connection = try SQLiteConnection(path: database, mode: .readOnly)
        var sum: Int64 = 0
        for table in ["prompt_plays", "delayed_plays"] {
            let rows = try connection.prepare("SELECT \(columns.joined(separator: ", ")) FROM \(table)\(condition)")
            while try rows.step() {
                for column in columns.indices { sum &+= rows.int(column) }
            }
        }
        return sum
    }
}
