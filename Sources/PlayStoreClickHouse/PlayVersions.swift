internal import PlayStore

/// Gives each play of a log its version: an earlier one of the log always has the higher, so that it stands, and between
/// the logs of several servers the play with the earlier receipt has.
///
/// It is a clock of times of receipt that never goes back, in units of 2⁻¹⁶ ms: a play that was received no later than the one
/// before gets the next unit. What a log's plays get follows from the log alone.
struct PlayVersions: Equatable {
    /// The last play's place on the clock.
    private(set) var last: UInt64

    private static let units: UInt64 = 16
    private static let mostMs: UInt64 = 1 << 48 - 1

    init(last: UInt64 = 0) {
        self.last = last
    }

    /// - Parameter receivedAt: ms since 1970.
    mutating func next(receivedAt: Int64) -> UInt64 {
        last = max(last &+ 1, min(UInt64(clamping: receivedAt), Self.mostMs) << Self.units)
        return ~last
    }
}
