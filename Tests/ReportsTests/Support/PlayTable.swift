import PlayStore
import Reports
import SQLite

/// A database in memory with the relations that reports read.
struct PlayTable {
    let connection: SQLiteConnection
    let store: SQLiteReportStore

    init(_ plays: [StoredPlay] = []) throws {
        connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        store = SQLiteReportStore(connection: connection)
        try connection.execute(
            """
            CREATE TABLE plays (
                day INTEGER, hour INTEGER, play_id TEXT, session_id TEXT, video_id TEXT, cdn TEXT, cdn_region TEXT,
                network TEXT, app_version TEXT, os_version TEXT, device_model TEXT, player TEXT, tags TEXT,
                startup_ms INTEGER, stalls INTEGER, stalled_ms INTEGER, watched_ms INTEGER, avg_bitrate INTEGER,
                bytes INTEGER, bytes_estimated INTEGER, error_code TEXT, waited_ms INTEGER, memory_bytes INTEGER,
                ended_at INTEGER, received_at INTEGER, clock_skewed INTEGER, source TEXT, attempt INTEGER,
                access_log_startup_ms INTEGER, player_stalls INTEGER, player_stalled_ms INTEGER, region_from TEXT, arrival INTEGER, play_id_made INTEGER,
                PRIMARY KEY (hour, play_id)) WITHOUT ROWID;
            CREATE TABLE accounts (
                account INTEGER PRIMARY KEY, first_arrival INTEGER, last_arrival INTEGER, sender_id TEXT,
                sequence INTEGER, made INTEGER, dropped INTEGER, rejected INTEGER, received_at INTEGER);
            CREATE TABLE rejections (hour INTEGER, code TEXT, events INTEGER);
            CREATE TABLE repeats (hour INTEGER, duplicates INTEGER, conflicts INTEGER);
            CREATE TABLE hours (hour INTEGER, plays INTEGER, last_arrival INTEGER, last_received_at INTEGER);
            """)
        try insert(plays)
    }

    func insert(_ plays: [StoredPlay]) throws {
        try connection.execute("BEGIN")
        for play in plays {
            try connection.execute("INSERT INTO plays VALUES (\(play.values.joined(separator: ", ")))")
        }
        try connection.execute("COMMIT")
    }

    var maker: ReportMaker { ReportMaker(store: store) }
}
