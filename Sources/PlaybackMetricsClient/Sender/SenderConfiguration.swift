/// The figures by which a sender works. The defaults are meant for apps.
public struct SenderConfiguration: Sendable, Hashable {
    /// The most summaries that wait, those on the wire included.
    public var capacity = 500
    /// The most summaries of one request; an endpoint takes 1,000.
    public var batchLimit = 100
    /// The time between two flushes.
    public var flushInterval = Duration.seconds(30)
    /// The most that the sender waits after its first failure in a row; it doubles with each.
    public var backoffBase = Duration.seconds(30)
    /// The most that it waits after any failure.
    public var backoffLimit = Duration.seconds(600)
    /// The most of a server's `Retry-After` that is believed.
    public var retryAfterLimit = Duration.seconds(3600)

    /// The defaults.
    public init() {}
}

extension SenderConfiguration {
    /// The same with every figure brought to what makes sense: at least one summary, a flush a second at most, no wait of
    /// more than a day.
    var sensible: SenderConfiguration {
        var sensible = self
        sensible.capacity = min(max(capacity, 1), 100_000)
        sensible.batchLimit = min(max(batchLimit, 1), 1000)
        sensible.flushInterval = min(max(flushInterval, .seconds(1)), .seconds(86_400))
        sensible.backoffLimit = min(max(backoffLimit, .zero), .seconds(86_400))
        sensible.backoffBase = min(max(backoffBase, .zero), sensible.backoffLimit)
        sensible.retryAfterLimit = min(max(retryAfterLimit, .zero), .seconds(86_400))
        return sensible
    }
}
