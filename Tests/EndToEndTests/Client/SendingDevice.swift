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
