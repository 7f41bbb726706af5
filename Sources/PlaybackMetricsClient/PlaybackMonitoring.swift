public import Foundation

/// Everything that an app needs to measure its plays, made by one call: a session, and a sender that has been started.
///
/// ```swift
/// let monitoring = PlaybackMonitoring.start(endpoint: endpoint, writeKey: key)
/// ```
///
/// The latest one is also ``current``, so that nothing has to be handed from view to view. With an `AVPlayer` all that is
/// left to say is which clip it plays: `player.measure(clip)` of the product `PlaybackMetricsAVFoundation`.
public final class PlaybackMonitoring: PlaybackMetrics {
    /// This run of the app in the foreground.
    public let session: PlaybackSession
    /// Where the plays go; everything that can be set or asked is there.
    public let sender: PlaybackMetricsSender

    private let last = Locked<PlaybackSummary?>(nil)
    private static let latest = Locked<PlaybackMonitoring?>(nil)

    /// Monitoring with parts of the app's own. It does not start the sender, and is nobody's ``current``.
    public init(session: PlaybackSession, sender: PlaybackMetricsSender) {
        self.session = session
        self.sender = sender
    }

    /// Begins to measure, and sends on its own from now on.
    ///
    /// - Parameters:
    ///   - endpoint: where to post, such as `https://metrics.example.com/v1/playback-events`.
    ///   - writeKey: `nil` for an endpoint without keys.
    ///   - configuration: consent, sampling, spool, and the sender's figures.
    ///   - seams: time, chance and the host.
    /// - Returns: what is ``current`` from now on. One that was started before goes on for whoever keeps it.
    @discardableResult
    public static func start(
        endpoint: URL, writeKey: String? = nil, configuration: SenderConfiguration = SenderConfiguration(),
        seams: SenderSeams = SenderSeams()
    ) -> PlaybackMonitoring {
        let http = URLSessionHTTPClient(endpoint: endpoint, writeKey: writeKey)
        let monitoring = PlaybackMonitoring(
            session: PlaybackSession(ids: seams.ids),
            sender: PlaybackMetricsSender(http: http, configuration: configuration, seams: seams))
        monitoring.sender.start()
        latest.withLock { $0 = monitoring }
        return monitoring
    }

    /// The latest that was started; `nil` before the first.
    public static var current: PlaybackMonitoring? { latest.withLock { $0 } }

    /// Takes the summary of a play that just closed, and hands it to the sender.
    public func record(_ summary: PlaybackSummary) {
        last.withLock { $0 = summary }
        sender.record(summary)
    }

    /// The latest summary, for whoever looks at the screen; `nil` before the first.
    public var lastSummary: PlaybackSummary? { last.withLock { $0 } }

    /// Whether the viewer agrees: the app asks, remembers the answer, and tells it here and at every start.
    public var consent: PlaybackConsent {
        get { sender.consent }
        set { sender.consent = newValue }
    }

    /// Sends an empty batch and says what the endpoint makes of it: for the developer's first minute.
    public func verify() async -> EndpointCheck {
        await sender.verify()
    }

    /// Sends what waits, and no longer sends on its own.
    public func stop() async {
        await sender.stop()
    }
}
