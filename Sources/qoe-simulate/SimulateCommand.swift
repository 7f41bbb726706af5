internal import CommandLineTool
import Foundation
internal import PlaybackMetricsClient
internal import PlaybackSimulation
internal import Synchronization

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

/// What the command line asks for.
struct SimulateOptions {
    enum Destination {
        case server(URL)
        /// `-`: standard output.
        case file(String)
    }

    static let lifecycles = ["mixed"] + PlayerLifecycle.allCases.map(\.rawValue)

    let destination: Destination
    let simulation: Simulation.Configuration
    let writeKey: String?
    let pace: Pace

    /// - Throws: `usage` for what can't be.
    init(_ arguments: Arguments) throws(CommandError) {
        destination = try Self.destination(arguments)
        var simulation = Simulation.Configuration()
        simulation.sessions = try arguments.int("sessions", in: 1...100_000) ?? simulation.sessions
        simulation.seed = UInt64(try arguments.int("seed", in: 0...Int.max) ?? 1)
        simulation.days = try arguments.int("days", in: 1...366) ?? simulation.days
        simulation.midnight = try Self.midnight(arguments)
        simulation.lifecycle = try Self.lifecycle(arguments)
        self.simulation = simulation
        writeKey = arguments.text("write-key")
        guard let pace = Pace(rawValue: arguments.text("speed") ?? "") else {
            throw arguments.fault("speed", "should be max or real")
        }
        self.pace = pace
        if case .file = destination, pace == .real {
            throw CommandError(.usage, "--speed real goes with --to: a file is written as fast as possible")
        }
    }

    private static func destination(_ arguments: Arguments) throws(CommandError) -> Destination {
        switch (arguments.text("to"), arguments.text("output")) {
        case (nil, nil): throw CommandError(.usage, "where to? --to URL or --output FILE (see qoe-simulate --help)")
        case (_?, _?): throw CommandError(.usage, "--to and --output exclude each other")
        case (nil, let path?):
            guard !path.isEmpty else { throw arguments.fault("output", "should be a file, or - for standard output") }
            guard !path.hasSuffix(".gz") else {
                throw arguments.fault(
                    "output", "would be plain text under the name of a compressed file: --output - | gzip >FILE.gz")
            }
            return .file(path)
        case (let text?, nil):
            guard let url = endpoint(text) else {
                throw arguments.fault("to", "should be the address of a server, such as http://127.0.0.1:8080")
            }
            return .server(url)
        }
    }

    /// The server's endpoint: an address without a path gets the contract's.
    static func endpoint(_ text: String) -> URL? {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), parts.host?.isEmpty == false
        else { return nil }
        if parts.path.isEmpty || parts.path == "/" { parts.path = "/v1/playback-events" }
        return parts.url
    }

    private static func midnight(_ arguments: Arguments) throws(CommandError) -> Int64 {
        let text = arguments.text("from") ?? ""
        guard let midnight = Self.midnight(of: text) else {
            throw arguments.fault("from", "should be a day, such as 2026-11-28")
        }
        return midnight
    }

    /// The beginning of a day in UTC, in ms since 1970; of the years 1970 to 9999.
    static func midnight(of text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.map(\.count) == [4, 2, 2], parts.joined().utf8.allSatisfy({ (48...57).contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1970
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        let components = DateComponents(year: year, month: month, day: day)
        guard let date = calendar.date(from: components),
            calendar.dateComponents([.year, .month, .day], from: date) == components
        else { return nil }
        return Int64(date.timeIntervalSince1970) * 1_000
    }

    private static func lifecycle(_ arguments: Arguments) throws(CommandError) -> PlayerLifecycle? {
        let text = arguments.text("lifecycle") ?? "mixed"
        if text == "mixed" { return nil }
        guard let lifecycle = PlayerLifecycle(rawValue: text) else {
            throw arguments.fault("lifecycle", "should be one of \(lifecycles.joined(separator: ", "))")
        }
        return lifecycle
    }
}

/// Plays into a file that `qoe load` reads.
private struct RecordedPlay {
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

/// A progress bar that several devices move at once.
private final class SharedProgress: Sendable {
    private struct State {
        var bar: ProgressBar
        var done = 0
    }

    private let total: Int
    private let state: Mutex<State>

    init(_ title: String, sessions: Int) {
        total = sessions
        state = Mutex(State(bar: ProgressBar(title, unit: "sessions")))
    }

    func add(_ sessions: Int) {
        state.withLock { state in
            state.done += sessions
            state.bar.update(done: min(state.done, total), of: total)
        }
    }

    func finish() {
        state.withLock { $0.bar.finish() }
    }
}
