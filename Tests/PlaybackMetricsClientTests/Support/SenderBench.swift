import Foundation
import PlaybackMetricsClient

/// A sender on a manual clock, with chance from a seed.
struct SenderBench {
    let clock = ManualClock()
    let host = RecordingBackgroundTime()
    let logged = Mutable<[String]>([])
    let sender: PlaybackMetricsSender

    init(
        _ http: any HTTPClient, seed: UInt64 = 1, capacity: Int = 500, wallClock: Date = Date(timeIntervalSince1970: 0)
    ) {
        var seams = SenderSeams()
        seams.clock = clock
        seams.random = SeededRandom(seed: seed)
        seams.ids = NumberedIDs()
        seams.wallClock = { wallClock }
        seams.backgroundTime = host
        seams.log = { [logged] line in logged.update { $0.append(line) } }
        var configuration = SenderConfiguration()
        configuration.capacity = capacity
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

extension HTTPClientResponse {
    static func status(_ status: Int, retryAfter: String? = nil, body: String = "") -> HTTPClientResponse {
        HTTPClientResponse(status: status, retryAfter: retryAfter, body: Data(body.utf8))
    }
}

extension ScriptedHTTPClient {
    /// The numbers of the plays in each body.
    var sentNumbers: [[Int?]] { get throws { try bodies.map { try SentBody($0).events.map(\.number) } } }
}
