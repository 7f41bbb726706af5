internal import CommandLineTool
import Foundation
internal import PlaybackMetricsClient
internal import PlaybackSimulation

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
