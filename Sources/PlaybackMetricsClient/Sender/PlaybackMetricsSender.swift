import Foundation

/// Sends the summaries of plays in batches, without ever getting in the app's way.
///
/// ``record(_:)`` puts a summary into a bounded queue; a timer empties it every 30 seconds, and what a request could not
/// deliver waits for the next one. Keep the sender as long as the app runs, and call ``flushInBackground(holding:)`` on the app's way
/// to the background: what is unsent when the app is killed is lost, unless ``SenderConfiguration/spool`` keeps it.
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

    let http: any HTTPClient
    let wallClock: @Sendable () -> Date
    private nonisolated let sampling: SessionSampling?
    private nonisolated let log: @Sendable (String) -> Void
    private var lines: SenderLog
    private var random: any RandomNumberGenerator & Sendable
    private var backoff: Backoff
    private var flushing: Task<Void, Never>?
    /// What the endpoint's responses of 413 have left of the most plays in one request.
    private var batchLimit: Int

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
        let senderId = seams.ids.makeID()
        self.http = http
        self.configuration = configuration
        queue = SummaryQueue(
            capacity: configuration.capacity, senderId: senderId, consent: configuration.consent,
            storage: configuration.folder.map {
                SenderStorage(configuration: configuration, folder: $0, senderId: senderId, seams: seams)
            })
        clock = seams.clock
        backgroundTime = seams.backgroundTime
        wallClock = seams.wallClock
        sampling = SessionSampling(rate: configuration.sampling)
        log = seams.log
        lines = SenderLog(seams.log)
        random = seams.random
        backoff = Backoff(configuration)
        batchLimit = configuration.batchLimit
    }

    deinit {
        timer.withLock { $0?.cancel() }
        let stats = queue.stats
        guard stats.queued > 0, queue.consent == .granted else { return }
        log(
            "PlaybackMetrics: a sender goes with \(SenderLog.plays(stats.queued)) unsent. Keep it as long as the app runs, and await stop() "
                + "before it goes.")
    }

    /// Takes the summary of a play that just closed.
    ///
    /// Never throws and never waits: neither for a request nor for the sender's own work. When 500 summaries wait, the
    /// oldest that is not on the wire goes, and is counted.
    ///
    /// - Complexity: O(1), and no allocation in the steady state. With sampling, a spool, or after a while in which nothing
    ///   waited, a few microseconds.
    public nonisolated func record(_ summary: PlaybackSummary) {
        guard let sampling else { return queue.push(SummaryQueue.Entry(summary: summary, recordedAt: clock.now)) }
        guard let marked = sampling.mark(summary) else { return }
        queue.push(SummaryQueue.Entry(summary: marked, recordedAt: clock.now))
    }

    /// Whether the viewer agrees. `denied` empties the queue and removes the sender report and the spool at once, and later summaries are
    /// forgotten; `pending` keeps them in memory.
    public nonisolated var consent: PlaybackConsent {
        get { queue.consent }
        set { queue.consent = newValue }
    }

    /// Whether summaries are taken: `true` is ``PlaybackConsent/granted``, `false` is ``PlaybackConsent/denied``.
    public nonisolated var isEnabled: Bool {
        get { queue.consent != .denied }
        set { queue.consent = newValue ? .granted : .denied }
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

    /// When the timer is due after a flush: never later than the interval, since a flush in between may end the back-off.
    func nextDue() -> Duration {
        let now = clock.now
        let regular = now + configuration.flushInterval
        guard let notBefore = backoff.notBefore, notBefore > now else { return regular }
        return min(notBefore, regular)
    }

    private func sendUntilEmptyOrFailed(overriding: Bool) async {
        defer { flushing = nil }
        if let problem = queue.takeProblem() {
            lines.say(.storage, "\(problem): plays that die with the app are lost.")
        }
        while !queue.isIdle, backoff.allows(at: clock.now, overriding: overriding), let batch = queue.take(batchLimit) {
            let response = await post(BatchEncoder.body(of: batch, at: clock.now))
            queue.note(status: response?.status)
            let outcome = RequestOutcome(response, count: batch.count)
            if let response { lines.note(outcome, response, count: batch.count) }
            switch outcome {
            case .delivered(let rejected):
                queue.settle(batch, dropping: rejected, because: .rejected, isTold: true)
            case .refused:
                queue.settle(batch, dropping: batch.count, because: .refused, isTold: false)
            case .rejected:
                queue.settle(batch, dropping: batch.count, because: .rejected, isTold: false)
            case .halve:
                queue.putBack(batch)
                batchLimit = batch.count / 2
            case .tooLarge:
                queue.settle(batch, dropping: batch.count, because: .tooLarge, isTold: false)
                // One play was at fault, not the size of the batches.
                batchLimit = configuration.batchLimit
            case .retry, .foreign:
                queue.putBack(batch)
                let wait = RetryAfter.duration(response?.retryAfter, date: response?.date, now: wallClock)
                backoff.fail(at: clock.now, retryAfter: wait, random: &random)
                return
            }
            backoff.succeed()
        }
        if queue.stats.dropped(.unencodable) > 0 {
            lines.say(
                .unencodable,
                "a play dropped: its figures can be no play's, negative or at odds with each other. Look at what fills it in."
            )
        }
    }

    private func post(_ body: Data) async -> HTTPClientResponse? {
        do {
            return try await http.post(body)
        } catch {
            lines.note(error)
            return nil
        }
    }
}

/// Which sessions are measured, when not all are.
struct SessionSampling: Sendable {
    private let rate: Double
    private let tag: PlaybackLabel

    /// `nil` when every session is measured.
    init?(rate: Double) {
        guard rate < 1 else { return nil }
        self.rate = rate
        // Four digits: more tell nothing, and would make groups of their own.
        let text = String(format: "%.4f", rate)
        let digits = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        tag = PlaybackLabel(String(digits.reversed())) ?? "0"
    }

    /// The summary with the tag `sample`; `nil` when its session is not measured.
    func mark(_ summary: PlaybackSummary) -> PlaybackSummary? {
        // A session's id holds 62 bits of chance at its end, and every play of it says the same. A play without a session
        // stands for itself.
        let id = (summary.context.session?.uuid ?? summary.playId).uuid
        let chance = [id.10, id.11, id.12, id.13, id.14, id.15].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard Double(chance) < rate * 0x1p48 else { return nil }
        var marked = summary
        marked.context.tags.set(.sample, to: tag)
        return marked
    }
}
