public import Foundation

/// Makes the ids of plays, sessions and senders: the seam through which a test or a simulation chooses them.
public protocol PlayIDMaker: Sendable {
    /// An id that nobody has had before.
    func makeID() -> UUID
}

/// Makes UUIDs of version 7 (RFC 9562): 48 bits of milliseconds since 1970, then 74 bits of chance, so that ids sort by the
/// millisecond in which they were made, and a store appends instead of inserting.
public final class TimeOrderedIDs: PlayIDMaker {
    /// The maker that the whole process shares: the device's clock, the system's source of chance.
    public static let shared = TimeOrderedIDs()

    private let milliseconds: @Sendable () -> Int64
    private let random: Locked<any RandomNumberGenerator & Sendable>

    /// A maker of ids.
    ///
    /// - Parameters:
    ///   - milliseconds: the time since 1970; a clock that is wrong spoils the order, not the ids.
    ///   - random: the source of the other bits.
    public init(
        milliseconds: @escaping @Sendable () -> Int64 = TimeOrderedIDs.deviceClock,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.milliseconds = milliseconds
        self.random = Locked(random)
    }

    /// The time of the device's clock, in milliseconds since 1970.
    @Sendable public static func deviceClock() -> Int64 {
        let milliseconds = Date().timeIntervalSince1970 * 1000
        return Int64(exactly: milliseconds.rounded(.down)) ?? 0
    }

    /// An id whose first 48 bits are the time, the version 7 and the variant of RFC 9562 in their places.
    public func makeID() -> UUID {
        let time = UInt64(bitPattern: milliseconds())
        let (first, second) = random.withLock { random in (random.next(), random.next()) }
        let high = time << 16 | 0x7000 | first & 0x0fff
        let low = 0x8000_0000_0000_0000 | second & 0x3fff_ffff_ffff_ffff
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
