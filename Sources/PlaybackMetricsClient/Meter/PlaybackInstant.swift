/// A point in time for the meter: nanoseconds since an origin that only differences make sense of.
///
/// ``now`` stops while the device sleeps. A test or a simulation makes its own instants.
public struct PlaybackInstant: InstantProtocol, Sendable, Hashable {
    /// Within ±2⁶¹ ns (73 years), so that no difference overflows.
    let nanoseconds: Int64

    private static let range = -(Int64(1) << 61)...(Int64(1) << 61)

    /// The instant at a distance from the origin, which is cut to 73 years.
    public init(sinceOrigin distance: Duration) {
        self.init(nanoseconds: distance.nanoseconds)
    }

    private init(nanoseconds: Int64) {
        self.nanoseconds = min(max(nanoseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Now, by a clock that stops while the device sleeps.
    public static var now: PlaybackInstant {
        PlaybackInstant(sinceOrigin: origin.duration(to: SuspendingClock.now))
    }

    private static let origin = SuspendingClock.now

    /// The instant later by `duration`.
    public func advanced(by duration: Duration) -> PlaybackInstant {
        PlaybackInstant(nanoseconds: nanoseconds.addingSaturated(duration.nanoseconds))
    }

    /// How much later `other` is.
    public func duration(to other: PlaybackInstant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    /// Whether the instant lies before `other`.
    public static func < (one: PlaybackInstant, other: PlaybackInstant) -> Bool {
        one.nanoseconds < other.nanoseconds
    }

    /// Whole milliseconds from an earlier instant to this one.
    func milliseconds(since earlier: PlaybackInstant) -> Int64 {
        max(0, nanoseconds - earlier.nanoseconds) / 1_000_000
    }
}

extension Duration {
    /// The whole nanoseconds of it, as far as 64 bits go.
    var nanoseconds: Int64 { whole(perSecond: 1_000_000_000) }

    /// The whole milliseconds of it, as far as 64 bits go.
    var wholeMilliseconds: Int64 { whole(perSecond: 1000) }

    private func whole(perSecond units: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: units)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return whole.addingSaturated(attoseconds / (1_000_000_000_000_000_000 / units))
    }
}

extension Int64 {
    /// The sum, or the end of the range that it would pass.
    func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
