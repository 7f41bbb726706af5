/// Why a summary was given up.
public enum DropReason: String, Sendable, Hashable, CaseIterable {
    /// The queue was full, and newer ones came.
    case overflow
    /// The endpoint refused the whole request, and would again.
    case refused
    /// The endpoint refused this one play, and would again.
    case rejected
    /// Too large for the endpoint, even alone.
    case tooLarge
    /// Its figures can't be sent: negative, or at odds with each other.
    case unencodable
    /// Metrics were turned off.
    case disabled
}

/// What has become of the summaries that a sender was given. `recorded` is always the sum of `delivered`, `dropped`,
/// `queued` and `inFlight`.
public struct SenderStats: Sendable, Hashable {
    /// Summaries taken, since the sender was made.
    public var recorded = 0
    /// Summaries that an endpoint accepted.
    public var delivered = 0
    /// Summaries given up, by reason.
    public var droppedByReason: [DropReason: Int] = [:]
    /// Summaries that wait.
    public var queued = 0
    /// Summaries on the wire.
    public var inFlight = 0
    /// Requests made, repeated ones included.
    public var attempts = 0
    /// The status of the latest response; `nil` before the first, and after a request without one.
    public var lastStatus: Int?
    /// Plays of earlier runs of the app that the spool kept and that still wait; not part of `recorded`.
    public var earlierQueued = 0
    /// Plays of earlier runs that an endpoint accepted in this one; not part of `recorded`.
    public var earlierDelivered = 0

    /// Nothing has happened yet.
    public init() {}

    /// Summaries given up for whatever reason.
    public var dropped: Int { droppedByReason.values.reduce(0, +) }

    /// Summaries given up for one reason.
    public func dropped(_ reason: DropReason) -> Int { droppedByReason[reason] ?? 0 }
}
