/// The columns of a stored play, in their order.
///
/// What reports read comes first: SQLite finds a column by walking over those before it.
enum PlayColumn: Int, CaseIterable {
    case hour, playId, arrival, delivery, run, startupMs, stalls, stalledMs, watchedMs, avgBitrate, bytes, error, flags
    case endedMs, lagMs, waitedMs, memoryBytes, attempt, accessLogStartupMs, video, tagSet, clockLead
    // Since layout 2, behind those of layout 1 as in a database that was raised.
    case playerStalls, playerStalledMs

    /// Its parameter in an INSERT of all columns.
    var parameter: Int { rawValue + 1 }

    /// Its type in SQL.
    var type: String { self == .playId ? "BLOB" : "INTEGER" }

    var name: String {
        switch self {
        case .hour: "hour"
        case .playId: "play_id"
        case .arrival: "arrival"
        case .delivery: "delivery"
        case .run: "run"
        case .startupMs: "startup_ms"
        case .stalls: "stalls"
        case .stalledMs: "stalled_ms"
        case .watchedMs: "watched_ms"
        case .avgBitrate: "avg_bitrate"
        case .bytes: "bytes"
        case .error: "error"
        case .flags: "flags"
        case .endedMs: "ended_ms"
        case .lagMs: "lag_ms"
        case .waitedMs: "waited_ms"
        case .memoryBytes: "memory_bytes"
        case .attempt: "attempt"
        case .accessLogStartupMs: "access_log_startup_ms"
        case .video: "video"
        case .tagSet: "tag_set"
        case .clockLead: "clock_lead_ms"
        case .playerStalls: "player_stalls"
        case .playerStalledMs: "player_stalled_ms"
        }
    }

    static let list = allCases.map(\.name).joined(separator: ", ")
}
