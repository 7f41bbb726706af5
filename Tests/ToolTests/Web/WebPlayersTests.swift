import Foundation
import Testing
import TestSupport

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
