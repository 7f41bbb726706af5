internal import Foundation
internal import Platform

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
