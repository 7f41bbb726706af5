internal import CommandLineTool
import Foundation
internal import PlaybackSimulation

/// Plays into a file that `qoe load` reads.
struct RecordedPlay {
    private let simulation: Simulation
    private let path: String

    init(_ simulation: Simulation, path: String) {
        self.simulation = simulation
        self.path = path
    }

    /// - Throws: `cannotCreate`, `inputOutput`.
    func run(_ interruption: Interruption) throws(CommandError) -> ExitCode {
        let output = path == "-" ? nil : try OutputFile(path)
        let endpoint = RecordingEndpoint()
        let progress = SharedProgress("playing", sessions: simulation.configuration.sessions)
        let width = ProcessInfo.processInfo.activeProcessorCount
        let report = interruption.run { [simulation] in
            await simulation.play(to: endpoint, width: width) { progress.add($0) }
        }
        progress.finish()
        guard !interruption.wasAskedToStop else {
            StandardError.write("qoe-simulate: stopped; nothing was written")
            return ExitCode(rawValue: 130)
        }
        let requests = endpoint.requests
        if let output {
            for request in requests { try output.write(request.line) }
            try output.finish()
        } else {
            try StandardOutput.write(requests.lazy.map(\.line).joined())
        }
        StandardError.write(report.text + "; \(requests.count) requests written")
        return .success
    }
}

extension SimulationReport {
    /// In one line.
    var text: String {
        let parts = [
            "\(plays) plays in \(sessions) sessions on \(devices) devices", "\(delivered) delivered",
            dropped > 0 ? "\(dropped) given up by their senders" : nil,
            left > 0 ? "\(left) never sent" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
