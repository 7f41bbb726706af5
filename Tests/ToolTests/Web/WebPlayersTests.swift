import Foundation
import SQLite
import TestSupport
import Testing

/// `make test-tools` has put the players into `.build/players`.
@Suite("The script for web pages, in Chromium with Video.js, hls.js and without either,", .tools)
struct WebPlayersTests {
    private static let names = [
        "smooth-none", "smooth-hls.js", "smooth-video.js", "slowstart-hls.js", "slowstart-video.js", "stalls-hls.js",
        "stalls-video.js", "seek-hls.js", "seek-video.js", "scrub-hls.js", "scrub-video.js", "pausestart-hls.js",
        "pausestart-video.js", "exitbeforestart-hls.js", "exitbeforestart-video.js", "away-hls.js", "away-video.js",
        "background-hls.js", "replay-hls.js", "replay-video.js", "autoplay-none", "autoplay-hls.js", "failure-hls.js",
        "missing-hls.js", "missing-video.js", "bitrates-hls.js", "clips-hls.js",
    ]

    @Test(
        "tells of every play what its page saw: startup within 15 ms, watched within 20, and every stall",
        arguments: names)
    func truth(name: String) throws {
        let (page, stored) = try WatchedPages.page(name)
        try #require(page.plays.count == stored.count && !stored.isEmpty, "\(page.plays) \(stored)")
        for (truth, play) in zip(page.plays, stored) {
            let words: Comment = "\(truth) \(play)"
            let startup = truth.measured ? truth.startupMs : nil
            #expect((startup == nil) == (play.startupMs == nil), words)
            if let startup, let own = play.startupMs { #expect(abs(startup - Double(own)) <= 15, words) }
            #expect((truth.waitedMs == nil) == (play.waitedMs == nil), words)
            if let waited = truth.waitedMs, let own = play.waitedMs { #expect(abs(waited - Double(own)) <= 15, words) }
            #expect(abs(truth.watchedMs - Double(play.watchedMs)) <= 20, words)
            #expect(truth.stalls == play.stalls, words)
            #expect(abs(truth.stalledMs - Double(play.stalledMs)) <= 10 * Double(max(1, truth.stalls)), words)
            #expect((play.errorCode != nil) == ["fatal", "error"].contains(truth.end), words)
        }
    }

    /// Each of them shows what its name says, so that none agrees about nothing.
    @Test("has had waits, seeks, pauses and failures to tell of")
    func variety() throws {
        for player in ["hls.js", "video.js"] {
            let first = { (name: String) in try #require(try WatchedPages.page("\(name)-\(player)").1.first) }
            let stalls = try first("stalls")
            #expect(stalls.stalls == 2 && stalls.stalledMs > 1_500)
            #expect(try #require(try first("slowstart").startupMs) > 1_000)
            // Of 2.5 s until the first segment, 1.5 s were paused.
            let paused = try #require(try first("pausestart").startupMs)
            #expect(paused > 700 && paused < 1_900)
            for name in ["seek", "scrub"] { #expect(try first(name).stalls == 0) }
            #expect(try #require(try first("exitbeforestart").waitedMs) > 1_200)
            let replays = try WatchedPages.page("replay-\(player)").1
            #expect(replays.map(\.tags) == [nil, #"{"start":"replay"}"#])
            let away = try WatchedPages.page("away-\(player)").1
            #expect(away.count == 2 && Set(away.map(\.sessionId)).count == 1)
        }
        #expect(try WatchedPages.page("background-hls.js").1.map { $0.watchedMs > 2_000 } == [true])
        #expect(try WatchedPages.page("clips-hls.js").1.count == 2)
    }

    @Test("names the engine with its version, the edge, and what failed by the engine's own word")
    func words() throws {
        let failure = try #require(try WatchedPages.page("failure-hls.js").1.first)
        #expect(failure.errorCode == "hls.js#fragLoadError:404" && failure.watchedMs > 3_000)
        #expect(try WatchedPages.page("missing-hls.js").1.map(\.errorCode) == ["hls.js#manifestLoadError:404"])
        // Whichever of engine and video is first to say it.
        let missing = try WatchedPages.page("missing-video.js").1.first?.errorCode
        #expect(["MediaError#4", "video.js#2"].contains(missing))
        #expect(failure.player?.hasPrefix("hls.js 1.") == true)
        #expect(failure.cdn == "test-cdn" && failure.cdnRegion == "eu-west")
        let other = try #require(try WatchedPages.page("smooth-video.js").1.first)
        #expect(other.player == "video.js 7.5.5" && other.bitrate == 932_800)
    }

    @Test("averages the bitrate over what played, within a quarter of a second of each switch")
    func bitrates() throws {
        let (page, stored) = try WatchedPages.page("bitrates-hls.js")
        let play = try #require(stored.first)
        #expect(play.tags == #"{"arm":"a"}"#)
        let samples = page.bitrates.filter { $0.count == 2 }
        #expect(Set(samples.map { $0[1] }) == [272_800, 932_800])
        let own = Double(try #require(play.bitrate))
        let mean = samples.map { $0[1] }.reduce(0, +) / Double(samples.count)
        #expect(abs(own - mean) <= 660_000 * 500 / Double(play.watchedMs))
    }

    @Test("accounts for every play that it made, and has lost none with the pages that were closed")
    func accounts() throws {
        let all = try WatchedPages.all.get()
        let plays = all.stored.values.reduce(0) { $0 + $1.count }
        #expect(all.accounts.made == plays && all.accounts.lost == 0)
        #expect(all.accounts.senders >= Self.names.count)
    }
}

/// What pages with players saw of their own plays, and what a server has stored of the same, by `measure.py`.
private struct WatchedPages {
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
