internal import Foundation
internal import Platform

/// Loads on several servers in turn, round after round, each with a fresh server.
struct IngestRounds {
    /// What one server did in one round.
    struct Round {
        var sustained: SustainedLoad
        var burst: LoadResult
        var single: LoadResult?
        /// Ordinary traffic, one to three events a request, without keys and with one; of ours alone.
        var ordinary: LoadResult?
        var keyed: LoadResult?
        /// Players that speak CMCD, five reports a request; of ours alone.
        var reports: LoadResult?
        var peakMiB: Double
        /// The load under which memory was looked at again, and what it was then.
        var laterPeakMiB: Double
        var meanSyncMs: Double?
    }

    var tools: PeerTools
    var seconds: Double
    var connections = 32
    var events = 50
    private(set) var rounds: [ServerKind: [Round]] = [:]

    init(tools: PeerTools, seconds: Double) {
        self.tools = tools
        self.seconds = seconds
    }

    mutating func run(_ count: Int, of kinds: [ServerKind], progress: (String) -> Void) throws {
        let batches = RequestTemplate.several(events: events, form: .full)
        let single = RequestTemplate.several(events: 1, form: .full)
        for number in 1...count {
            for kind in kinds {
                let round = try run(kind, batches, single, seed: UInt64(number))
                rounds[kind, default: []].append(round)
                progress(
                    "round \(number) of \(count): \(kind.rawValue) \(figure(round.burst.eventsPerSecond)) events/s in a"
                        + " burst, \(figure(round.sustained.eventsPerSecond)) sustained")
            }
        }
    }

    private func run(
        _ kind: ServerKind, _ batches: [RequestTemplate], _ single: [RequestTemplate], seed: UInt64
    ) throws -> Round {
        let server = try ServerUnderLoad(kind, tools)
        var plan = LoadPlan(port: server.port, requests: batches)
        plan.connections = connections
        plan.seconds = seconds
        plan.seed = SystemClock.monotonic &+ seed
        let sustained = try SustainedLoad(plan, on: server)
        let peak = server.peakMiB
        plan.seed &+= 1
        let burst = try LoadGenerator.run(plan)
        let (laterPeak, sync) = (server.peakMiB, server.meanSyncMs)
        var alone: LoadResult?
        if kind != .nginx {
            let fresh = try ServerUnderLoad(kind, tools)
            var plan = LoadPlan(port: fresh.port, requests: single)
            plan.connections = 2 * connections
            plan.seconds = seconds
            plan.seed = SystemClock.monotonic
            alone = try LoadGenerator.run(plan)
        }
        let ordinary = kind == .ours ? try ordinaryLoad(key: nil) : nil
        let keyed = kind == .ours ? try ordinaryLoad(key: AccessPath.key) : nil
        let reports = kind == .ours ? try reportsLoad() : nil
        for result in [sustained.load, burst] + [alone, ordinary, keyed, reports].compactMap({ $0 }) {
            guard result.refused == 0 else {
                throw PeerFailure(description: "\(kind.rawValue) answered \(result.answers)")
            }
        }
        return Round(
            sustained: sustained, burst: burst, single: alone, ordinary: ordinary, keyed: keyed, reports: reports,
            peakMiB: peak, laterPeakMiB: laterPeak, meanSyncMs: sync)
    }

    /// Requests of one to three events on a fresh server, with a key or without.
    private func ordinaryLoad(key: String?) throws -> LoadResult {
        let server = try ServerUnderLoad(.ours, tools, keys: key == nil ? nil : AccessPath.keyFile)
        var plan = LoadPlan(
            port: server.port, requests: RequestTemplate.several(63, events: 1...3, form: .full, key: key))
        plan.connections = 2 * connections
        plan.seconds = seconds
        plan.seed = SystemClock.monotonic
        return try LoadGenerator.run(plan)
    }

    /// Five reports a request, each request of another session, on a fresh server.
    private func reportsLoad() throws -> LoadResult {
        let server = try ServerUnderLoad(.ours, tools)
        var plan = LoadPlan(port: server.port, requests: (0..<63).map { RequestTemplate(reports: 5, clip: $0) })
        plan.connections = 2 * connections
        plan.seconds = seconds
        plan.seed = SystemClock.monotonic
        return try LoadGenerator.run(plan)
    }

    /// The median over the rounds of one server's figure.
    func median(_ kind: ServerKind, _ value: (Round) -> Double) -> Double {
        (rounds[kind] ?? []).map(value).median
    }

    /// The median of the ratios to another server in the same round.
    func ratio(to other: ServerKind, _ value: (Round) -> Double) -> Double {
        zip(rounds[.ours] ?? [], rounds[other] ?? []).map { value($0) / value($1) }.median
    }
}

/// Who takes requests in.
enum ServerKind: String, CaseIterable {
    /// `qoe serve`.
    case ours
    /// A server in Python with the same promises, tuned.
    case tuned
    /// A server in Python as one writes it first.
    case plain
    /// nginx, which writes bodies to a compressed log: not checked, not synced, not loaded.
    case nginx
}

/// A load whose senders wait while the server's database is far behind its archive, and that is over when the database
/// holds all of it.
struct SustainedLoad {
    /// Bytes of compressed archive: some hundred thousand plays.
    private static let mostLag = 16 << 20
    private static let longestCatchUp: UInt64 = 120_000_000_000

    /// What was answered while requests were sent.
    private(set) var load: LoadResult
    /// Seconds from the first request until the database held every play.
    private(set) var seconds: Double

    /// Plays that were acknowledged and loaded a second.
    var eventsPerSecond: Double { Double(load.acceptedEvents) / seconds }

    init(_ plan: LoadPlan, on server: ServerUnderLoad) throws {
        let gate = LoadGate()
        var plan = plan
        plan.gate = gate
        let isOver = Flag()
        let probe = server.lag
        let keeper = try SystemThread(name: "gate") {
            while !isOver.isRaised {
                let lag = (try? probe.bytes()) ?? 0
                gate.close(lag > (gate.isClosed ? Self.mostLag / 2 : Self.mostLag))
                usleep(20_000)
            }
        }
        let start = SystemClock.monotonic
        do {
            defer {
                isOver.raise()
                keeper.join()
            }
            load = try LoadGenerator.run(plan)
        }
        while try probe.bytes() > 0 {
            guard SystemClock.monotonic - start < Self.longestCatchUp else {
                throw PeerFailure(description: "\(server.kind.rawValue) does not come to the end of its archive")
            }
            usleep(10_000)
        }
        seconds = Double(SystemClock.monotonic - start) / 1e9
    }
}
