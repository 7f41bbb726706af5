import Foundation
import PlaybackSimulation
import TestSupport

/// What a simulated server has received, read back for the tests.
struct RecordedPlays {
    struct Line: Decodable {
        let receivedAt: Int64
        let body: Body
    }

    struct Body: Decodable {
        let schemaVersion: Int
        let context: Context
        let sender: Account
        let events: [Event]
    }

    struct Context: Decodable {
        let sessionId: String?
        let cdn: String?
        let cdnRegion: String?
        let network: String?
        let source: String?
        let appVersion: String?
        let osVersion: String?
        let deviceModel: String?
        let player: String?
        let tags: [String: String]?
    }

    struct Account: Decodable {
        let senderId: String
        let sequence: Int
        let made: Int
        let dropped: Int
        let rejected: Int
    }

    struct ErrorCode: Decodable, Hashable {
        let domain: String
        let code: Int
    }

    struct Event: Decodable {
        let videoId: String
        let playId: String
        let ageMs: Int64
        let startupMs: Int?
        let stalls: Int
        let stalledMs: Int
        let watchedMs: Int
        let avgBitrate: Int?
        let error: ErrorCode?
        let bytes: Int64?
        let memoryBytes: Int64?
        let waitedMs: Int?
        let accessLogStartupMs: Int?
        let attempt: Int?
        let sessionId: String?
        let cdn: String?
        let cdnRegion: String?
        let network: String?
        let source: String?
        let deviceModel: String?
        let tags: [String: String]?
    }

    /// A play, the first time that it arrived.
    struct Play {
        let event: Event
        let context: Context
        let senderId: String
        let receivedAt: Int64

        /// When it ended as a server dates it, in ms since 1970.
        var time: Int64 { receivedAt - event.ageMs }
        var session: String? { event.sessionId ?? context.sessionId }
        var region: String? { event.cdnRegion ?? context.cdnRegion }
        var cdn: String? { event.cdn ?? context.cdn }
        var network: String? { event.network ?? context.network }
        var source: String? { event.source ?? context.source }
        var deviceModel: String? { event.deviceModel ?? context.deviceModel }
        var tags: [String: String] { (context.tags ?? [:]).merging(event.tags ?? [:]) { $1 } }
        var hasStarted: Bool { event.startupMs != nil || event.watchedMs > 0 }
    }

    let report: SimulationReport
    let requests: [RecordedRequest]
    /// The whole file.
    let bytes: Data
    let lines: [Line]
    /// Repeats left out.
    let plays: [Play]

    init(_ configuration: Simulation.Configuration, width: Int = 2) async throws {
        let endpoint = RecordingEndpoint()
        report = await Simulation(configuration).play(to: endpoint, width: width)
        requests = endpoint.requests
        let lines = requests.map(\.line)
        bytes = lines.reduce(into: Data()) { $0.append($1) }
        let decoder = JSONDecoder()
        self.lines = try lines.map { try decoder.decode(Line.self, from: $0) }
        var known: Set<String> = []
        plays = self.lines.flatMap { line in
            line.body.events.compactMap { event in
                guard known.insert(event.playId).inserted else { return nil }
                return Play(
                    event: event, context: line.body.context, senderId: line.body.sender.senderId,
                    receivedAt: line.receivedAt)
            }
        }
    }

    /// The two days of the sample, played once for all tests.
    static let twoDays = Task { try await RecordedPlays(.sample) }
}

extension Simulation.Configuration {
    /// What `sample-data/two-days.ndjson.gz` holds.
    static var sample: Simulation.Configuration {
        var configuration = Simulation.Configuration()
        configuration.sessions = 300
        configuration.midnight = 1_795_824_000_000
        return configuration
    }

    static func small(seed: UInt64 = 1, sessions: Int = 12) -> Simulation.Configuration {
        var configuration = sample
        configuration.seed = seed
        configuration.sessions = sessions
        return configuration
    }
}

extension Collection where Element: Comparable {
    /// The value at place ⌈n · percent / 100⌉ of the sorted ones.
    func percentile(_ percent: Int) -> Element? {
        isEmpty ? nil : sorted()[(count * percent + 99) / 100 - 1]
    }
}
