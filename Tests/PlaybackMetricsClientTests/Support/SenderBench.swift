import Foundation
import PlaybackMetricsClient
import TestSupport

/// A sender on a manual clock, with chance from a seed.
struct SenderBench {
    let clock = ManualClock()
    let host = RecordingBackgroundTime()
    let logged = Mutable<[String]>([])
    let sender: PlaybackMetricsSender

    init(
        _ http: any HTTPClient, seed: UInt64 = 1, capacity: Int = 500, wallClock: Date = Date(timeIntervalSince1970: 0),
        change: (inout SenderConfiguration) -> Void = { _ in }
    ) {
        var seams = SenderSeams()
        seams.clock = clock
        seams.random = SeededGenerator(seed: seed)
        seams.ids = NumberedIDs()
        seams.wallClock = { wallClock }
        seams.backgroundTime = host
        seams.log = { [logged] line in logged.update { $0.append(line) } }
        var configuration = SenderConfiguration.inMemory
        configuration.capacity = capacity
        change(&configuration)
        sender = PlaybackMetricsSender(http: http, configuration: configuration, seams: seams)
    }

    /// Records the plays of these numbers.
    func record(_ numbers: Range<Int>) {
        for number in numbers { sender.record(.sample(number)) }
    }
}

extension SenderStats {
    /// Whether every summary that was recorded is somewhere.
    var isConserved: Bool { recorded == delivered + dropped + queued + inFlight }
}

extension SenderConfiguration {
    /// The defaults, but for the disk.
    static var inMemory: SenderConfiguration {
        var configuration = SenderConfiguration()
        configuration.folder = nil
        return configuration
    }
}

extension HTTPClientResponse {
    /// - Parameter body: `nil`: what an endpoint says with the status.
    static func status(_ status: Int, retryAfter: String? = nil, body: String? = nil) -> HTTPClientResponse {
        let usual = (200..<300).contains(status) ? #"{"accepted":1,"rejected":[]}"# : #"{"error":"x"}"#
        return HTTPClientResponse(status: status, retryAfter: retryAfter, body: Data((body ?? usual).utf8))
    }
}

extension ScriptedHTTPClient {
    /// The numbers of the plays in each body.
    var sentNumbers: [[Int?]] { get throws { try bodies.map { try SentBody($0).events.map(\.number) } } }
}

/// A host that counts how often its time is taken and given back.
final class RecordingBackgroundTime: BackgroundTime, @unchecked Sendable {
    private let lock = NSLock()
    private var expiries: [@Sendable () -> Void] = []
    private var begunCount = 0
    private var endedCount = 0
    private var expiresAtOnce = false

    var begun: Int { lock.withLock { begunCount } }
    var ended: Int { lock.withLock { endedCount } }

    /// From now on the time is up before it has begun.
    func refuse() { lock.withLock { expiresAtOnce = true } }

    func begin(expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let isRefused = lock.withLock {
            begunCount += 1
            expiries.append(expired)
            return expiresAtOnce
        }
        if isRefused { expired() }
        return { self.lock.withLock { self.endedCount += 1 } }
    }

    /// The host wants all its time back.
    func expire() {
        for expired in lock.withLock({ expiries }) { expired() }
    }
}
