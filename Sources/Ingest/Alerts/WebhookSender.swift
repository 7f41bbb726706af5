internal import Archive
internal import Platform
internal import PlayStore
internal import Synchronization

/// Tells the webhook what waits for it, on a thread of its own: again and again until it is answered 2xx, and for each alert in
/// the order in which things happened.
final class WebhookSender: Sendable {
    private struct State: Sendable {
        var isStopping = false
        /// Counts the calls of ``WebhookSender/wake()``.
        var wakes: UInt64 = 0
        var delivered = 0
        var failed = 0
    }

    /// Deliveries that have failed in this run, by their number.
    private struct Retry {
        var failures = 0
        var due: ContinuousClock.Instant
    }

    private let configuration: AlertConfiguration
    private let url: WebhookURL
    private let carrier: any WebhookCarrier
    private let desk: AlertDesk
    private let log: EventLog
    private let state = Monitor(State())
    private let thread = WorkerThread()

    init(
        _ configuration: AlertConfiguration, to url: WebhookURL, by carrier: any WebhookCarrier, desk: AlertDesk,
        log: EventLog
    ) {
        self.configuration = configuration
        self.url = url
        self.carrier = carrier
        self.desk = desk
        self.log = log
    }

    /// Deliveries since the start that were answered 2xx, and such as were not.
    var counts: (delivered: Int, failed: Int) { state.read { ($0.delivered, $0.failed) } }

    func start() throws(ThreadError) {
        try thread.start(name: "webhook", niceness: 5) { [self] in run() }
    }

    /// There may be something to tell.
    func wake() {
        state.change { $0.wakes &+= 1 }
    }

    func requestStop() {
        state.change { $0.isStopping = true }
        carrier.end()
    }

    /// Ends the thread. What waits is told after the next start.
    func stop() {
        requestStop()
        thread.join()
    }

    private func run() {
        var retries: [Int64: Retry] = [:]
        var failuresInARow = 0
        while true {
            let (isStopping, wakes) = state.read { ($0.isStopping, $0.wakes) }
            if isStopping { return }
            let deliveries = Self.first(of: desk.deliveries)
            let numbers = Set(deliveries.map(\.number))
            retries = retries.filter { numbers.contains($0.key) }
            let moment = ContinuousClock.now
            func due(_ delivery: AlertBook.Delivery) -> ContinuousClock.Instant {
                retries[delivery.number]?.due ?? moment
            }
            guard let next = deliveries.min(by: { due($0) < due($1) }), due(next) <= moment else {
                let pause = deliveries.map { (due($0) - moment) / .milliseconds(1) }.min()
                state.wait(milliseconds: pause.map { Int($0) + 1 }) { $0.isStopping || $0.wakes != wakes }
                continue
            }
            if let reason = tell(next) {
                if state.read({ $0.isStopping }) { return }
                var retry = retries[next.number] ?? Retry(due: moment)
                let pause = configuration.firstRetryMs << min(retry.failures, 16)
                retry.failures += 1
                retry.due = .now + .milliseconds(min(configuration.longestRetryMs, pause))
                retries[next.number] = retry
                if failuresInARow == 0 { log(.warning, "webhook fails", ["reason": reason]) }
                failuresInARow += 1
                state.change { $0.failed += 1 }
            } else {
                desk.remove(delivery: next.number)
                if failuresInARow > 0 { log(.info, "webhook works again", ["failures": "\(failuresInARow)"]) }
                failuresInARow = 0
                state.change { $0.delivered += 1 }
            }
        }
    }

    /// The first of each alert: what has happened after it waits for it.
    private static func first(of deliveries: [AlertBook.Delivery]) -> [AlertBook.Delivery] {
        var keys: Set<String> = []
        return deliveries.filter { keys.insert($0.key).inserted }
    }

    /// - Returns: why it could not be told; nil when it has been.
    private func tell(_ delivery: AlertBook.Delivery) -> String? {
        do throws(WebhookError) {
            let status = try carrier.post(delivery.body, to: url, patience: configuration.receiverPatience)
            return (200...299).contains(status) ? nil : "answered \(status)"
        } catch {
            return error.reason
        }
    }
}
