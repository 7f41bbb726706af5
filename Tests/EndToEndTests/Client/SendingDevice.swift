import Foundation
import PlaybackMetricsClient
import Synchronization
import TestSupport

/// A device with an app on it: the real meter, sender and transport, and what the sender was given.
final class SendingDevice: Sendable {
    let clock = DeviceClock()
    let sender: PlaybackMetricsSender
    private let ids: TimeOrderedIDs
    private let made = Mutex<[PlaybackSummary]>([])
    private let log = Log()
    private let random: Mutex<SeededGenerator>

    private final class Log: Sendable {
        let lines = Mutex<[String]>([])
    }

    /// - Parameters:
    ///   - port: where the server listens, now or later.
    ///   - clockIsOffBy: how many seconds the device's own clock is ahead.
    init(
        port: Int, seed: UInt64, clockIsOffBy: TimeInterval = 0, writeKey: String? = nil,
        configuration: SenderConfiguration = SenderConfiguration()
    ) throws {
        guard let endpoint = URL(string: "http://127.0.0.1:\(port)\(ServerProcess.eventsPath)") else {
            throw WaitedInVain("an address")
        }
        random = Mutex(SeededGenerator(seed: seed))
        ids = TimeOrderedIDs(milliseconds: { Int64((Date().timeIntervalSince1970 + clockIsOffBy) * 1_000) })
        var seams = SenderSeams()
        seams.clock = clock
        seams.wallClock = { Date(timeIntervalSinceNow: clockIsOffBy) }
        seams.random = SeededGenerator(seed: seed)
        seams.ids = ids
        seams.log = { [log] line in log.lines.withLock { $0.append(line) } }
        var configuration = configuration
        configuration.folder = nil
        sender = PlaybackMetricsSender(
            http: URLSessionHTTPClient(endpoint: endpoint, writeKey: writeKey), configuration: configuration,
            seams: seams)
    }

    /// Every summary that the sender was given.
    var summaries: [PlaybackSummary] { made.withLock { $0 } }
    /// What the sender said to the app's developers.
    var logged: [String] { log.lines.withLock { $0 } }

    /// Clips are played from their beginning to some end, all at once for the sender's clock.
    func play(_ count: Int) {
        let session = PlaybackSession(ids: ids)
        for _ in 0..<count {
            record(random.withLock { RandomPlay.metered(in: session, ids: ids, using: &$0) })
        }
    }

    /// Plays with any figures and names that can be sent.
    func playAnything(_ count: Int) {
        let session = PlaybackSession(ids: ids)
        for _ in 0..<count {
            record(random.withLock { RandomPlay.extreme(in: session, ids: ids, using: &$0) })
        }
    }

    func record(_ summary: PlaybackSummary) {
        made.withLock { $0.append(summary) }
        sender.record(summary)
    }

    /// Waits until nothing waits any more.
    func untilSent(seconds: Double = 60) async throws {
        try await untilTrue("everything to be sent", seconds: seconds) {
            let stats = sender.stats
            return stats.queued + stats.inFlight == 0
        }
    }
}

/// Asks again and again until it is so, without keeping a thread from others.
func untilTrue(_ what: String, seconds: Double = 60, _ isSo: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while try !isSo() {
        guard ContinuousClock.now < deadline else { throw WaitedInVain("\(seconds) s were not enough for \(what)") }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// A sender's clock that a test can set forward.
final class DeviceClock: SenderClock {
    private let origin = ContinuousClock.now
    private let skipped = Mutex(Duration.zero)

    var now: Duration { origin.duration(to: .now) + skipped.withLock { $0 } }

    func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }

    /// Time passes in which nothing happens.
    func advance(by duration: Duration) {
        skipped.withLock { $0 += duration }
    }
}

/// Plays by chance.
private enum RandomPlay {
    /// What a meter makes of a play with stalls, seeks, pauses, failures and early exits.
    static func metered(
        in session: PlaybackSession, ids: any PlayIDMaker, using random: inout SeededGenerator
    ) -> PlaybackSummary {
        let context = context(in: session, using: &random)
        let memory = Int64.random(in: 50_000_000...400_000_000, using: &random)
        let videoId = VideoID("clip-\(Int.random(in: 1...40, using: &random))")
        var meter = PlaybackMeter(videoId: videoId, ids: ids, memory: { memory }, context: { context })
        var now = PlaybackInstant(sinceOrigin: .seconds(100))
        meter.handle(.play, at: now)
        let script = Int.random(in: 0..<5, using: &random) == 0 ? [] : script(using: &random)
        for input in script + [closings[Int.random(in: 0..<closings.count, using: &random)]] {
            now = now.advanced(by: .microseconds(Int.random(in: 0...4_000_000, using: &random)))
            if let summary = meter.handle(input, at: now) { return summary }
        }
        return PlaybackSummary(videoId: videoId, playId: ids.makeID())
    }

    private static let closings: [PlaybackInput] = [
        .status(.ended), .stop, .suspended,
        .status(.failed(PlaybackError(domain: "CoreMediaErrorDomain", code: -12_660))),
        .status(.failed(PlaybackError("drm"))),
    ]

    private static func script(using random: inout SeededGenerator) -> [PlaybackInput] {
        var inputs: [PlaybackInput] = [.status(.playing), .logStartup(Int.random(in: 0...3_000, using: &random))]
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: inputs += [.status(.stalled), .status(.playing)]
            case 1: inputs += [.seekBegan, .status(.stalled), .seekEnded, .status(.playing)]
            case 2: inputs += [.pause, .status(.paused), .play, .status(.playing)]
            case 3: inputs += [.bitrate(Double.random(in: 100_000...8_000_000, using: &random))]
            default: inputs += [.presentation(.fullscreen)]
            }
        }
        return inputs + [.bytes(Int64.random(in: 0...90_000_000, using: &random))]
    }

    private static func context(in session: PlaybackSession, using random: inout SeededGenerator) -> PlaybackContext {
        var context = PlaybackContext(session: session)
        context.network = PlaybackNetwork.allCases.randomElement(using: &random)
        context.cdn = ["fastly", "cloudfront"].randomElement(using: &random)
        context.cdnRegion = ["eu-west", "us-east", nil].randomElement(using: &random) ?? nil
        context.source = .stream
        context.appVersion = "5.2.0"
        context.player = "AVPlayer"
        context.tags.lifecycle = PlayerLifecycle.allCases.randomElement(using: &random)
        context.tags.preloaded = Bool.random(using: &random)
        return context
    }

    /// Any figures at all that a summary can be sent with, and the longest names.
    static func extreme(
        in session: PlaybackSession, ids: any PlayIDMaker, using random: inout SeededGenerator
    ) -> PlaybackSummary {
        var context = PlaybackContext()
        context.session = Bool.random(using: &random) ? session.id : nil
        context.network = Bool.random(using: &random) ? PlaybackNetwork.allCases.randomElement(using: &random) : nil
        context.source = Bool.random(using: &random) ? .stream : .download
        for field in [\PlaybackContext.cdn, \.cdnRegion, \.appVersion, \.osVersion, \.deviceModel, \.player] {
            context[keyPath: field] = label(using: &random)
        }
        for _ in 0..<Int.random(in: 0...9, using: &random) {
            guard let name = TagName("t" + text("abcz09_", in: 0...31, using: &random)) else { continue }
            context.tags[name] = label(using: &random)
        }
        let videoId = VideoID("v" + text(characters, in: 0...127, using: &random))
        var play = PlaybackSummary(videoId: videoId, playId: ids.makeID(), context: context)
        play.watchedMs = edge(0...86_400_000, using: &random)
        play.stalledMs = edge(0...play.watchedMs, using: &random)
        play.stalls = edge((play.stalledMs > 0 ? 1 : 0)...100_000, using: &random)
        play.startupMs = Bool.random(using: &random) ? edge(0...3_600_000, using: &random) : nil
        play.waitedMs = Bool.random(using: &random) ? edge(0...3_600_000, using: &random) : nil
        play.accessLogStartupMs = Bool.random(using: &random) ? edge(0...3_600_000, using: &random) : nil
        play.avgBitrate = [nil, .nan, -1, 0.4, 0.5, 1_999_999.5, 1e9, 2e9].randomElement(using: &random) ?? nil
        play.bytes = edge(0...(1 << 40), using: &random)
        play.memoryBytes = Bool.random(using: &random) ? edge(0...(1 << 53), using: &random) : nil
        play.playerStalls = Bool.random(using: &random) ? edge(0...100_000, using: &random) : nil
        play.playerStalledMs = Bool.random(using: &random) ? edge(0...86_400_000, using: &random) : nil
        play.attempt = edge(1...100, using: &random)
        play.error = error(using: &random)
        return play
    }

    private static func error(using random: inout SeededGenerator) -> PlaybackError? {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            PlaybackError(
                domain: text(characters + " (é", in: 0...70, using: &random),
                code: edge(Int.min...Int.max, using: &random))
        case 1: label(using: &random).map { PlaybackError($0) }
        default: nil
        }
    }

    /// One of the ends of the range, or any value of it.
    private static func edge<Value: FixedWidthInteger>(
        _ range: ClosedRange<Value>, using random: inout SeededGenerator
    ) -> Value {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: range.lowerBound
        case 1: range.upperBound
        default: Value.random(in: range, using: &random)
        }
    }

    private static func label(using random: inout SeededGenerator) -> PlaybackLabel? {
        // Up to the longest: 128 bytes, or 42 characters of which some take three.
        Bool.random(using: &random)
            ? PlaybackLabel(text(characters, in: 0...128, using: &random))
            : PlaybackLabel(text(characters + " é東“", in: 0...42, using: &random))
    }

    private static let characters = "abcXYZ0189-._~:=+@,/|#"

    private static func text(
        _ characters: String, in length: ClosedRange<Int>, using random: inout SeededGenerator
    ) -> String {
        let characters = Array(characters)
        return String(
            (0..<edge(length, using: &random)).map { _ in
                characters[Int.random(in: 0..<characters.count, using: &random)]
            })
    }
}
