package import PlaybackMetricsClient

/// Viewers who watch clips on simulated players over simulated networks, measured by the real library.
///
/// What a device does is drawn and computed first, without any waiting; then its events drive a `PlaybackMeter` and a
/// `PlaybackMetricsSender` on a clock of their own. Devices do not depend on each other, so a seed gives the same plays
/// whatever runs beside.
package struct Simulation: Sendable {
    /// What is simulated.
    package struct Configuration: Sendable {
        /// Visits of viewers: runs of the app in the foreground. Those that no longer fit before the end are left out.
        package var sessions = 200
        package var seed: UInt64 = 1
        package var days = 2
        /// The beginning of the first day, in ms since 1970.
        package var midnight: Int64 = 0
        /// How every device keeps its players; `nil`: each in one of the four ways.
        package var lifecycle: PlayerLifecycle?

        package init() {}

        /// The end of the last day, in ms since 1970.
        var end: Int64 { midnight + Int64(days) * Daytime.dayLength }
    }

    package let configuration: Configuration
    /// The trouble of the first day's evening.
    package let trouble: EdgeTrouble
    private let catalogue = Catalogue()

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        trouble = EdgeTrouble(onDayFrom: configuration.midnight)
    }

    /// Everything that happens on one device, in order.
    func events(of device: Device) -> [DeviceEvent] {
        // Some seconds early: the request's way takes time, and a server dates a play that much later.
        var run = DeviceRun(device, trouble: trouble, catalogue: catalogue, end: configuration.end - 5_000)
        return run.run()
    }

    /// Plays everything, or until the task is cancelled.
    ///
    /// - Parameters:
    ///   - endpoint: takes the requests.
    ///   - ids: of plays, sessions and senders; `nil`: made from the simulation's own time and chance.
    ///   - width: devices that play at the same time.
    ///   - progress: told the number of sessions that have ended since the last call; from any thread.
    package func play(
        to endpoint: any SimulatedEndpoint, ids: (any PlayIDMaker)? = nil, pace: Pace = .max, width: Int,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async -> SimulationReport {
        let player = DevicePlayer(endpoint: endpoint, ids: ids, pace: pace)
        return await withTaskGroup(of: SimulationReport.self) { group in
            var total = SimulationReport()
            var audience = Audience(configuration)
            var playing = 0
            while !Task.isCancelled, let device = audience.next() {
                if playing >= width, let report = await group.next() {
                    total = total + report
                    playing -= 1
                }
                playing += 1
                group.addTask {
                    await player.play(events(of: device), chance: device.senderChance, progress: progress)
                }
            }
            for await report in group { total = total + report }
            return total
        }
    }
}
