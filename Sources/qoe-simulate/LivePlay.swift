internal import CommandLineTool
import Foundation
internal import PlaybackMetricsClient
internal import PlaybackSimulation

/// Plays against a running server.
struct LivePlay {
    /// Devices that play at the same time when nothing slows them down.
    private static let width = 8

    private let simulation: Simulation
    private let url: URL
    private let pace: Pace
    private let http: URLSessionHTTPClient

    init(_ simulation: Simulation, url: URL, _ options: SimulateOptions) {
        self.simulation = simulation
        self.url = url
        pace = options.pace
        http = URLSessionHTTPClient(endpoint: url, writeKey: options.writeKey)
    }

    /// - Throws: `unavailable` when no server takes plays there.
    func run(_ interruption: Interruption) throws(CommandError) -> ExitCode {
        try knock(interruption)
        let progress = SharedProgress("playing", sessions: simulation.configuration.sessions)
        let width = pace == .real ? Int.max : Self.width
        let report = interruption.run { [simulation, http, pace] in
            await simulation.play(to: LiveEndpoint(http), ids: TimeOrderedIDs.shared, pace: pace, width: width) {
                progress.add($0)
            }
        }
        progress.finish()
        try StandardOutput.write(report.text + "\n")
        if interruption.wasAskedToStop { return ExitCode(rawValue: 130) }
        guard report.delivered > 0 else { throw CommandError(.unavailable, "\(url) has not taken a single play") }
        return .success
    }

    /// Sends a batch of no plays first, to find out what is wrong before anything plays.
    private func knock(_ interruption: Interruption) throws(CommandError) {
        let answer = interruption.run { [http] in try? await http.post(Data(#"{"events":[]}"#.utf8)) }
        guard let status = answer?.status else {
            throw CommandError(.unavailable, "nothing answers at \(url): is the server running?")
        }
        switch status {
        case 200..<300, 429, 500..<600: return
        case 401, 403:
            throw CommandError(.configuration, "\(url) refuses the write key (\(status)): --write-key takes another")
        default:
            throw CommandError(.unavailable, "\(url) answers \(status): it is no server that takes plays")
        }
    }
}
