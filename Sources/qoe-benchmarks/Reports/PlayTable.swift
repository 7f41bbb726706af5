internal import Foundation
internal import SQLite

/// The columns of plays that peers compute their reports from, as a CSV file.
enum PlayTable {
    /// Sessions, regions and errors go by the numbers that the store gives them, which is quicker for everybody.
    static func write(_ database: String, to path: String) throws {
        let connection = try SQLiteConnection(path: database, mode: .readOnly)
        let rows = try connection.prepare(
            """
            SELECT p.hour / 24, coalesce(d.cdn_region, '(unknown)'), p.run, p.startup_ms, p.stalls, p.stalled_ms,
                p.watched_ms, p.avg_bitrate, p.bytes, p.error
            FROM play_rows AS p LEFT JOIN deliveries AS d ON d.id = p.delivery
            """)
        guard let file = fopen(path, "w") else { throw PeerFailure(description: "can't make \(path)") }
        defer { fclose(file) }
        fputs("day,cdn_region,session,startup_ms,stalls,stalled_ms,watched_ms,avg_bitrate,bytes,error\n", file)
        while try rows.step() {
            var line = ""
            for column in 0..<rows.columnCount {
                if column > 0 { line += "," }
                if !rows.isNull(column) { line += rows.text(column) }
            }
            fputs(line + "\n", file)
        }
    }
}
