import Foundation

/// Sends the summaries of plays in batches, without ever getting in the app's way.
///
/// ``record(_:)`` puts a summary into a bounded queue; a timer empties it every 30 seconds, and what a request could not
/// deliver waits for the next one. Summaries live in memory only: what the app has not sent when it ends is lost, which is
/// why the app's way to the background should call ``flushInBackground()``.
///
/// ```swift
/// let sender = PlaybackMetricsSender(http: URLSessionHTTPClient(endpoint: endpoint, writeKey: key))
/// sender.start()
/// ```
public actor PlaybackMetricsSender: PlaybackMetrics {
    nonisolated let queue: SummaryQueue
    nonisolated let timer = Locked<Task<Void, Never>?>(nil)
    nonisolated let backgroundFlush = Locked<BackgroundFlush?>(nil)
    nonisolated let configuration: SenderConfiguration
    nonisolated let clock: any SenderClock
    nonisolated let backgroundTime: any BackgroundTime

    private let http: any HTTPClient
    private let senderId: UUID
    private let wallClock: @Sendable () -> Date
    private let log: @Sendable (String) -> Void
    private var random: any RandomNumberGenerator & Sendable
    private var backoff: Backoff
    private var flushing: Task<Void, Never>?
    private var hasLoggedRefusal = false

    /// A sender. It takes summaries at once, and sends on its own after ``start()``.
    ///
    /// - Parameters:
    ///   - http: carries the requests; it knows the endpoint.
    ///   - configuration: how much, how often.
    ///   - seams: time, chance and the host.
    public init(
        http: any HTTPClient,
        configuration: SenderConfiguration = SenderConfiguration(),
        seams: SenderSeams = SenderSeams()
    ) {
        let configuration = configuration.sensible
        self.http = http
        self.configuration = configuration
        queue = SummaryQueue(capacity: configuration.capacity)
        clock = seams.clock
        backgroundTime = seams.backgroundTime
        senderId = seams.ids.makeID()
        wallClock = seams.wallClock
        log = seams.log
        random = seams.random
        backoff = Backoff(configuration)
    }

    deinit {
        timer.withLock { $0?.cancel() }
    }

    /// Takes the summary of a play that just closed.
    ///
    /// Never throws and never waits: neither for a request nor for the sender's own work. When 500 summaries wait, the
    /// oldest that is not on the wire goes, and is counted.
    ///
    /// - Complexity: O(1), and no allocation in the steady state.
    public nonisolated func record(_ summary: PlaybackSummary) {
        queue.push(SummaryQueue.Entry(summary: summary, recordedAt: clock.now))
    }

    /// Whether summaries are taken. `false` empties the queue at once, and later summaries are forgotten.
    public nonisolated var isEnabled: Bool {
        get { queue.isEnabled }
        set { queue.isEnabled = newValue }
    }

    /// What has become of the summaries.
    public nonisolated var stats: SenderStats { queue.stats }

    /// Sends what waits, and comes back when the queue is empty or a request failed. A flush that is under way is joined.
    ///
    /// After a failed request nothing is sent before the time for the next attempt has come.
    public func flush() async {
        await flush(overridingBackoff: false)
    }

    /// - Parameter overriding: passes over the sender's own back-off, once until a request succeeds.
    func flush(overridingBackoff overriding: Bool) async {
        if let flushing {
            await flushing.value
            return
        }
        // A task of its own: cancelling the caller must not cancel a request.
        let task = Task { await self.sendUntilEmptyOrFailed(overriding: overriding) }
        flushing = task
        await task.value
    }

    /// How long the timer waits before its first flush: senders that start together do not send together.
    func firstDelay() -> Duration {
        configuration.flushInterval * Double.unit(&random)
    }

    /// How long the timer waits after a flush: never longer than the interval, since a flush in between may end the
    /// back-off.
    func nextDelay() -> Duration {
        let left = backoff.notBefore.map { $0 - clock.now } ?? .zero
        return left > .zero ? min(left, configuration.flushInterval) : configuration.flushInterval
    }

    private func sendUntilEmptyOrFailed(overriding: Bool) async {
        defer { flushing = nil }
        var limit = configuration.batchLimit
        while !queue.isEmpty, backoff.allows(at: clock.now, overriding: overriding),
            let batch = queue.take(limit, encodable: { BatchEncoder.canEncode($0.summary) })
        {
            let body = BatchEncoder.body(of: batch, senderId: senderId, at: clock.now)
            let response = try? await http.post(body)
            queue.note(status: response?.status)
            switch RequestOutcome(status: response?.status, count: batch.entries.count) {
            case .delivered:
                let rejected = ServerAnswer.rejected(in: response?.body ?? Data(), of: batch.entries.count)
                queue.settle(batch, dropping: rejected, because: .rejected)
                backoff.succeed()
            case .refused:
                drop(batch, refusedWith: response)
                backoff.succeed()
            case .halve:
                queue.putBack(batch)
                limit = batch.entries.count / 2
                backoff.succeed()
            case .tooLarge:
                queue.settle(batch, dropping: batch.entries.count, because: .tooLarge)
                backoff.succeed()
            case .retry:
                queue.putBack(batch)
                let wait = RetryAfter.duration(response?.retryAfter, date: response?.date, now: wallClock)
                backoff.fail(at: clock.now, retryAfter: wait, random: &random)
                return
            }
        }
    }

    private func drop(_ batch: SummaryQueue.Batch, refusedWith response: HTTPClientResponse?) {
        let isEach = response.map { $0.status == 400 && ServerAnswer.rejectsAll($0.body) } ?? false
        queue.settle(batch, dropping: batch.entries.count, because: isEach ? .rejected : .refused)
        guard let status = response?.status, status == 401 || status == 403, !hasLoggedRefusal else { return }
        hasLoggedRefusal = true
        log("PlaybackMetrics: the endpoint answered \(status) to the write key; plays are dropped until it is right.")
    }
}
