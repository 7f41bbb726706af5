import Foundation
import SQLite
import Testing
import TestSupport

/// What pages with players saw of their own plays, and what a server has stored of the same, by `measure.py`.
struct WatchedPages {
    /// What a page saw of one play.
    struct Truth: Decodable {
        /// The event with which it ended: `ended`, `error`, `emptied`, `fatal`, `hidden`, `left`.
        var end: String
        /// Whether there was a startup to measure.
        var measured: Bool
        var startupMs: Double?
        var waitedMs: Double?
        var watchedMs: Double
        var stalls: Int
        var stalledMs: Double
    }

    struct Page: Decodable {
        var name: String
        /// The clip's name.
        var clip: String
        var plays: [Truth]
        /// Page's time and bitrate, every 20 ms.
        var bitrates: [[Double]]
    }

    struct Stored {
        var startupMs: Int64?
        var waitedMs: Int64?
        var watchedMs: Int64
        var stalls: Int64
        var stalledMs: Int64
        var bitrate: Int64?
        var errorCode: String?
        var tags: String?
        var sessionId: String?
        var player: String?
        var cdn: String?
        var cdnRegion: String?
    }

    private let pages: [String: Page]
    let stored: [String: [Stored]]
    /// Senders, and what they told of themselves in the end.
    let accounts: (senders: Int64, made: Int64, lost: Int64)

    /// Every page once, in some two minutes.
    static let all = Result { try WatchedPages() }

    static func page(_ name: String) throws -> (Page, [Stored]) {
        let all = try all.get()
        let page = try #require(all.pages[name])
        return (page, (all.stored[page.clip] ?? []) + (all.stored[page.clip + "-next"] ?? []))
    }

    private init() throws {
        let folder = try TemporaryFolder()
        let keys = folder.path("keys")
        try "web wwwwwwwwwwwwwwww\n".write(toFile: keys, atomically: true, encoding: .utf8)
        let server = try ServerProcess(
            data: folder.path("data"), options: ["--cors-origin", "*", "--write-keys", keys])
        let script = Checkout.root.appendingPathComponent("Tests/ToolTests/Web/Pages/measure.py").path
        let players = Checkout.root.appendingPathComponent(".build/players").path
        let result = try BuiltProgram.run(
            "timeout",
            [
                "600", "python3", "-B", script, "--server", "http://127.0.0.1:\(server.port)", "--key",
                "wwwwwwwwwwwwwwww", "--players", players,
            ])
        try #require(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        let pages = try lines.map { try JSONDecoder().decode(Page.self, from: Data($0.utf8)) }
        self.pages = Dictionary(uniqueKeysWithValues: pages.map { ($0.name, $0) })
        let plays = pages.reduce(0) { $0 + $1.plays.count }
        try waitUntil("the last page's beacon") {
            try (server.metric("qoe_events_accepted_total") ?? 0) >= Double(plays)
        }
        try server.waitForFollower()
        let database = try SQLiteConnection(path: folder.path("data/qoe.sqlite"), mode: .readOnly)
        stored = try Self.plays(database)
        let sums = try database.prepare(
            """
            SELECT count(*), sum(made), sum(dropped + rejected) FROM (
                SELECT max(made) AS made, max(dropped) AS dropped, max(rejected) AS rejected
                FROM accounts GROUP BY sender_id)
            """)
        _ = try sums.step()
        accounts = (sums.int(0), sums.int(1), sums.int(2))
    }

    private static func plays(_ database: SQLiteConnection) throws -> [String: [Stored]] {
        let rows = try database.prepare(
            """
            SELECT video_id, startup_ms, waited_ms, watched_ms, stalls, stalled_ms, avg_bitrate, error_code, tags,
                session_id, player, cdn, cdn_region
            FROM plays ORDER BY play_id
            """)
        var plays: [String: [Stored]] = [:]
        while try rows.step() {
            plays[rows.text(0), default: []].append(
                Stored(
                    startupMs: rows.intOrNil(1), waitedMs: rows.intOrNil(2), watchedMs: rows.int(3),
                    stalls: rows.int(4),
                    stalledMs: rows.int(5), bitrate: rows.intOrNil(6), errorCode: rows.textOrNil(7),
                    tags: rows.textOrNil(8), sessionId: rows.textOrNil(9), player: rows.textOrNil(10),
                    cdn: rows.textOrNil(11), cdnRegion: rows.textOrNil(12)))
        }
        return plays
    }
}
