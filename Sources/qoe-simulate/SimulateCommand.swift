internal import CommandLineTool
import Foundation
internal import PlaybackSimulation

/// The one command of `qoe-simulate`.
enum SimulateCommand {
    static let command = Command(
        "", summary: "plays clips on simulated players and networks, measured by the real client library",
        options: [
            Option("to", "URL", help: "Sends the plays to this server, now, over HTTP: http://127.0.0.1:8080."),
            Option(
                "output", "FILE",
                help: """
                    Writes them into a file for qoe load, with the times at which a server would have received them; \
                    - is standard output.
                    """),
            Option("sessions", "N", initial: "200", help: "Runs of the app in the foreground, of about 40 clips each."),
            Option("seed", "N", initial: "1", help: "The same seed gives the same plays, and the same file."),
            Option("days", "N", initial: "2", help: "Days over which the sessions are spread."),
            Option("from", "DAY", initial: "2026-11-28", help: "The first of these days, in UTC."),
            Option(
                "lifecycle", "STRATEGY", initial: "mixed",
                help: """
                    How the apps keep their players: \(SimulateOptions.lifecycles.joined(separator: ", ")). What each \
                    costs and saves is an assumption of the simulation.
                    """),
            Option(
                "write-key", "KEY", environment: "QOE_WRITE_KEY",
                help: "The key that the server wants; only with --to."),
            Option(
                "speed", "max|real", initial: "max",
                help: "With --to: as fast as possible, or a second of playing in a second."),
        ],
        notes: """
            Either --to or --output. Viewers in six regions watch a feed of clips of 15 to 60 seconds on Wi-Fi,
            mobile networks and cables; on the first evening (18:30 to 22:00 UTC) a CDN has trouble in
            eu-central. A few senders can't reach the server for hours, lose plays or send them twice.
            With --to the plays happen now, whatever the days say, and have other ids in every run.
            """)

    /// - Throws: `CommandError`.
    @Sendable static func run(_ arguments: Arguments) throws -> ExitCode {
        let options = try SimulateOptions(arguments)
        let interruption = try Interruption.awaitSignals()
        let simulation = Simulation(options.simulation)
        switch options.destination {
        case .server(let url):
            return try LivePlay(simulation, url: url, options).run(interruption)
        case .file(let path):
            return try RecordedPlay(simulation, path: path).run(interruption)
        }
    }
}
