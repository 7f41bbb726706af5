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
    /// The status of the latest answer; `nil` before the first, and after a request without one.
    public var lastStatus: Int?

    /// Nothing has happened yet.
    public init() {}

    /// Summaries given up for whatever reason.
    public var dropped: Int { droppedByReason.values.reduce(0, +) }

    /// Summaries given up for one reason.
    public func dropped(_ reason: DropReason) -> Int { droppedByReason[reason] ?? 0 }
}
