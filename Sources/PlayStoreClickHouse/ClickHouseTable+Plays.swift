internal import PlayStore

extension ClickHouseTable {
    /// Columns that are no part of a play.
    static let playHousekeeping: Set<String> = ["node", "version"]

    static let playColumns: [Column] = [
        Column(name: "day", type: "Int32", meaning: "of the play, UTC days since 1970"),
        Column(name: "hour", type: "Int32", meaning: "of the play, UTC hours since 1970"),
        Column(name: "play_id", type: "UUID", meaning: "sent, or made from the request and the event's place"),
        Column(name: "version", type: "UInt64", meaning: "falls along a log, and between logs by receipt"),
        Column(name: "node", type: "String", meaning: "the server that took it in"),
        Column(name: "arrival", type: "Int64", meaning: "the number of its line in that server's log"),
        Column(name: "ended_at", type: "Int64", meaning: "ms since 1970"),
        Column(name: "received_at", type: "Int64", meaning: "ms since 1970"),
        Column(name: "clock_skewed", type: "UInt8", meaning: "1: an age or a clock was not believed"),
        Column(name: "play_id_made", type: "UInt8", meaning: "1: none was sent"),
        Column(name: "attempt", type: "Nullable(UInt8)", meaning: "1, or which retry"),
        Column(name: "region_from", type: "Nullable(String)", meaning: "event, context or header"),
        Column(name: "ended_by", type: "Nullable(String)", meaning: "of CMCD: reported, silence"),
        Column(name: "cdn_region", type: "Nullable(String)", meaning: "who served it"),
        Column(name: "session_id", type: "Nullable(String)", meaning: "one run of the app"),
        Column(name: "video_id", type: "String", meaning: "what was played"),
        Column(name: "cdn", type: "Nullable(String)", meaning: "who served it"),
        Column(name: "network", type: "Nullable(String)", meaning: "wifi, cellular, …"),
        Column(name: "source", type: "Nullable(String)", meaning: "stream, download, …"),
        Column(name: "app_version", type: "Nullable(String)", meaning: "the app"),
        Column(name: "os_version", type: "Nullable(String)", meaning: "its system"),
        Column(name: "device_model", type: "Nullable(String)", meaning: "its device"),
        Column(name: "player", type: "Nullable(String)", meaning: "its player"),
        Column(name: "tags", type: "Nullable(String)", meaning: "the team's own dimensions, a JSON object"),
        Column(name: "error_code", type: "Nullable(String)", meaning: "what ended the play, if an error did"),
        Column(name: "startup_ms", type: "Nullable(Int32)", meaning: "ms from play() to the first frame"),
        Column(name: "stalls", type: "Int32", meaning: "waits for data after it"),
        Column(name: "stalled_ms", type: "Int32", meaning: "ms in them"),
        Column(name: "watched_ms", type: "Int32", meaning: "ms from the first frame to the end"),
        Column(name: "avg_bitrate", type: "Nullable(Int32)", meaning: "bit/s over playing time"),
        Column(name: "bytes", type: "Nullable(Int64)", meaning: "sent; else 0 without a start; else estimated"),
        Column(name: "bytes_estimated", type: "UInt8", meaning: "1: from bitrate and playing time"),
        Column(
            name: "waited_ms", type: "Nullable(Int32)", meaning: "ms that the viewer of a play without start waited"),
        Column(name: "memory_bytes", type: "Nullable(Int64)", meaning: "the app's footprint at the end"),
        Column(name: "access_log_startup_ms", type: "Nullable(Int32)", meaning: "ms, the player's own account"),
        Column(name: "player_stalls", type: "Nullable(Int32)", meaning: "the player's own count of stalls"),
        Column(name: "player_stalled_ms", type: "Nullable(Int32)", meaning: "ms, the player's own account of them"),
    ]
}
