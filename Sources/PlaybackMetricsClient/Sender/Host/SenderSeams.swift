public import Foundation

/// Where a sender takes time and chance from, and what it asks of its host. A test or a simulation puts its own here.
public struct SenderSeams: Sendable {
    /// The age of plays, the flush timer and the back-off go by it.
    public var clock: any SenderClock = SystemSenderClock()
    /// The device's own clock, for a `Retry-After` that is a date in a response that does not say what time it is.
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

/// The clock of the device's boot: the same for every process until the device is started anew.
struct BootClock: Sendable {
    /// Which boot this is; 0: nobody knows.
    var id: UInt64
    /// The time since the boot, sleep included.
    var now: @Sendable () -> Duration

    /// The system's.
    static let system = BootClock(id: systemId(), now: systemNow)

    private static func systemNow() -> Duration {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    private static func systemId() -> UInt64 {
        #if canImport(Darwin)
            var text = [CChar](repeating: 0, count: 64)
            var size = text.count
            guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return 0 }
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        #else
            let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
            let bytes = Array(text.utf8)
        #endif
        return bytes.isEmpty ? 0 : bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
