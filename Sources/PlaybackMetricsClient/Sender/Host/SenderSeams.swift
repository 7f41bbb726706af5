public import Foundation

/// Where a sender takes time and chance from, and what it asks of its host. A test or a simulation puts its own here.
public struct SenderSeams: Sendable {
    /// The age of plays, the flush timer and the back-off go by it.
    public var clock: any SenderClock = SystemSenderClock()
    /// The device's own clock, for a `Retry-After` that is a date in an answer that does not say what time it is.
    public var wallClock: @Sendable () -> Date = { Date() }
    /// Chance, for the first flush and the back-off.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    /// Makes the sender's id.
    public var ids: any PlayIDMaker = TimeOrderedIDs.shared
    /// Asked for time whenever the app goes to the background.
    public var backgroundTime: any BackgroundTime = UnlimitedBackgroundTime()
    /// Takes a line about something that the app's developers should mend, such as a wrong write key; at most one a cause.
    /// The default is the system's log: subsystem `PlaybackMetrics` on Apple's systems, standard error elsewhere.
    public var log: @Sendable (String) -> Void = SystemLog.write
    /// What tells time from one run of the app to the next.
    var bootClock = BootClock.system

    /// The system's own.
    public init() {}
}
