import AVFoundation
import Foundation
import PlaybackMetricsClient
import Testing
import UIKit

@testable import PlaybackMetricsAVFoundation

@Suite("Measuring by one call", .timeLimit(.minutes(1)))
@MainActor
struct AdapterMeasuringTests {
    private let monitoring: PlaybackMonitoring
    private let player = AVPlayer()

    init() {
        var configuration = SenderConfiguration()
        configuration.folder = nil
        monitoring = PlaybackMonitoring(
            session: PlaybackSession(),
            sender: PlaybackMetricsSender(http: NobodyThere(), configuration: configuration))
        // What is unsent at the end of a test is no news.
        monitoring.consent = .pending
    }

    private func show(_ name: String) {
        let item = AVPlayerItem()
        item.asset = AVURLAsset(url: URL(filePath: "/\(name).m3u8"))
        player.replaceCurrentItem(with: item)
        item.become(.readyToPlay)
        player.become(.playing)
    }

    @Test("says what each of a player's clips is, and fills in session, device and player")
    func clips() async throws {
        for name in ["a", "b"] {
            player.measure(PlaybackClip(VideoID(name)) { $0.cdn = "fastly" }, with: monitoring)
            show(name)
        }
        #expect(MeasuredPlayers.shared.metrics(of: player)?.live?.videoId == "b")
        await player.stopMeasuring()
        #expect(monitoring.sender.stats.recorded == 2)
        let last = try #require(monitoring.lastSummary)
        #expect(last.videoId == "b" && last.context.cdn == "fastly" && last.context.session == monitoring.session.id)
        #expect(last.context.osVersion != nil && last.context.player == "AVPlayer")
        #expect(MeasuredPlayers.shared.metrics(of: player) == nil)
        await player.stopMeasuring()
    }

    @Test("takes the clip of an item that came before anything was said of it, too")
    func late() async {
        show("a")
        player.measure(PlaybackClip("a"), with: monitoring)
        show("b")
        player.measure(PlaybackClip("b"), with: monitoring)
        #expect(MeasuredPlayers.shared.metrics(of: player)?.live?.videoId == "b")
        await player.stopMeasuring()
        #expect(monitoring.lastSummary?.videoId == "b")
    }

    @Test("keeps what the app says of a play before what it fills in")
    func own() async {
        let own = PlaybackSession()
        player.measure(
            PlaybackClip("a") { context in
                context.session = own.id
                context.network = .ethernet
                context.deviceModel = "TV"
            }, with: monitoring)
        show("a")
        await player.stopMeasuring()
        let context = monitoring.lastSummary?.context
        #expect(context?.session == own.id && context?.network == .ethernet && context?.deviceModel == "TV")
    }

    @Test("keeps no player alive, and closes at once what one left open that is gone")
    func gone() async {
        weak var gone: AVPlayer?
        do {
            let other = AVPlayer()
            gone = other
            other.measure(PlaybackClip("a"), with: monitoring)
            other.replaceCurrentItem(with: AVPlayerItem())
            other.become(.playing)
        }
        while gone != nil { await Task.yield() }
        while monitoring.sender.stats.recorded == 0 { await Task.yield() }
        #expect(monitoring.lastSummary?.videoId == "a")
    }

    @Test("flushes the sender of each monitoring, wherever in memory that lies")
    func addresses() async {
        func make() -> PlaybackMonitoring {
            var configuration = SenderConfiguration()
            configuration.folder = nil
            var seams = SenderSeams()
            seams.log = { _ in }
            return PlaybackMonitoring(
                session: PlaybackSession(),
                sender: PlaybackMetricsSender(http: NobodyThere(), configuration: configuration, seams: seams))
        }
        weak var last: PlaybackMonitoring?
        var address: ObjectIdentifier?
        do {
            let first = make()
            last = first
            address = ObjectIdentifier(first)
            player.measure(PlaybackClip("a"), with: first)
            await player.stopMeasuring()
        }
        while last != nil { await Task.yield() }
        // Commonly the first of them lies where the one before lay.
        var others = [make()]
        while others.last.map({ ObjectIdentifier($0) }) != address, others.count < 1000 { others.append(make()) }
        let monitoring = others[others.count - 1]
        player.measure(PlaybackClip("b"), with: monitoring)
        show("b")
        player.become(.paused)
        UIApplication.shared.post(UIApplication.didEnterBackgroundNotification)
        while monitoring.sender.stats.attempts == 0 { await Task.yield() }
        UIApplication.shared.post(UIApplication.willEnterForegroundNotification)
        await player.stopMeasuring()
    }

    @Test("follows the app to the background")
    func background() async {
        player.measure(PlaybackClip("a"), with: monitoring)
        show("a")
        player.become(.paused)
        NotificationCenter.default.post(
            name: UIApplication.didEnterBackgroundNotification, object: UIApplication.shared)
        while monitoring.sender.stats.recorded == 0 { await Task.yield() }
        #expect(monitoring.lastSummary?.videoId == "a")
        NotificationCenter.default.post(
            name: UIApplication.willEnterForegroundNotification, object: UIApplication.shared)
        await player.stopMeasuring()
    }
}

/// An endpoint that never answers well.
private struct NobodyThere: HTTPClient {
    func post(_ body: Data) async throws -> HTTPClientResponse { throw URLError(.cannotConnectToHost) }
}
