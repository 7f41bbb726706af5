internal import PlaybackMetricsClient

/// Plays the events of one device through the real meter and the real sender.
struct DevicePlayer {
    let endpoint: any SimulatedEndpoint
    let ids: (any PlayIDMaker)?
    let pace: Pace

    /// Plays until the last event, or until the task is cancelled: the sender then sends what it has.
    ///
    /// - Parameter progress: told the number of sessions that have ended since the last call.
    func play(_ events: [DeviceEvent], chance: Chance, progress: @Sendable (Int) -> Void) async -> SimulationReport {
        var chance = chance
        var report = SimulationReport(devices: 1)
        var process: AppProcess?
        var isCounted = false
        var paced = PacedTime(pace)
        for event in events where !Task.isCancelled {
            let time = event.time
            switch event.happening {
            case .launch(let capacity):
                process = await AppProcess(
                    at: time, senderCapacity: capacity, endpoint: endpoint, ids: ids, &chance)
            case .foreground(let condition):
                paced.begin(at: time)
                await process?.comeToForeground(condition, at: time)
                isCounted = false
            case .clip(let stage): process?.show(stage)
            case .circumstances(let stage): process?.goOn(stage)
            case .player(let input):
                await paced.advance(process?.clock, to: time)
                guard process?.take(input) == true else { continue }
                // A timer that slept because nothing waited sets its time anew.
                await process?.clock.untilAsleep()
                report.plays += 1
                // Whoever only looks in has no play, and is no session.
                if !isCounted { report.sessions += 1 }
                isCounted = true
            case .background:
                await paced.advance(process?.clock, to: time)
                await process?.sender.flushInBackground().value
                if isCounted { progress(1) }
            case .termination:
                report.close(process)
                process = nil
            }
        }
        if Task.isCancelled { await process?.sender.stop() }
        report.close(process)
        return report
    }
}

extension SimulationReport {
    /// The account of a process that ends.
    fileprivate mutating func close(_ process: AppProcess?) {
        guard let stats = process?.sender.stats else { return }
        delivered += stats.delivered
        dropped += stats.dropped
        left += stats.queued
        attempts += stats.attempts
    }
}

/// Waits in real time for what is to happen in the simulation's.
private struct PacedTime {
    private let pace: Pace
    private var begin: (simulated: Int64, real: ContinuousClock.Instant)?

    init(_ pace: Pace) {
        self.pace = pace
    }

    /// From now on the two go side by side.
    mutating func begin(at time: Int64) {
        begin = (time, .now)
    }

    /// Lets the simulation's time go on to a time, not before it has come.
    func advance(_ clock: SimulatedClock?, to time: Int64) async {
        while pace == .real, let waking = clock?.nextWaking, waking < time, !Task.isCancelled {
            await wait(until: waking)
            await clock?.advance(to: waking)
        }
        await wait(until: time)
        await clock?.advance(to: time)
    }

    private func wait(until time: Int64) async {
        guard pace == .real, let begin else { return }
        // Cancelled: whoever called looks for himself.
        try? await Task.sleep(until: begin.real + .milliseconds(time - begin.simulated), clock: .continuous)
    }
}

/// How fast the simulation goes.
package enum Pace: String, Sendable, CaseIterable {
    /// As fast as the machine and the server can.
    case max
    /// A second takes a second; only the time in which the app is in the background is passed over.
    case real
}

/// What became of the plays, in the senders' own words.
package struct SimulationReport: Sendable, Hashable {
    package var devices = 0
    package var sessions = 0
    /// Plays that the meters closed.
    package var plays = 0
    /// Plays that an endpoint accepted, as far as their senders know.
    package var delivered = 0
    /// Plays that senders gave up.
    package var dropped = 0
    /// Plays that waited in a sender when its process ended, or the simulation.
    package var left = 0
    /// Requests made.
    package var attempts = 0

    static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.devices += other.devices
        sum.sessions += other.sessions
        sum.plays += other.plays
        sum.delivered += other.delivered
        sum.dropped += other.dropped
        sum.left += other.left
        sum.attempts += other.attempts
        return sum
    }
}
