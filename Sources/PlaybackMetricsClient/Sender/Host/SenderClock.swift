/// The clock of a sender: it goes on while the device sleeps, and nobody sets it.
public protocol SenderClock: Sendable {
    /// The time since an origin that never changes in the clock's life.
    var now: Duration { get }
    /// Comes back after `duration`, or throws when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The clock of the system, `ContinuousClock`.
public struct SystemSenderClock: SenderClock {
    private static let origin = ContinuousClock.now

    /// The system's clock.
    public init() {}

    /// The time since the process first asked.
    public var now: Duration { Self.origin.duration(to: ContinuousClock.now) }

    /// Comes back after `duration`, or throws when the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try await ContinuousClock().sleep(for: duration)
    }
}
