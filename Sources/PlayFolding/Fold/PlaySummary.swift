/// One play as its reports tell it; the contract's fields have the contract's units, and are within its ranges.
package struct PlaySummary: Sendable, Equatable {
    /// How a play ended.
    package enum End: Sendable, Equatable {
        /// The player said so, or that the viewer left.
        case ended
        case failed
        /// The same session went on to another play.
        case next
        /// It had lasted for a day.
        case day
        /// Reports stopped coming, or have not stopped yet.
        case silence
    }

    /// The first report with which it begins, by the player's clock, ms since 1970.
    package var beganAt: Int64 = 0
    /// Its end, by the player's clock.
    package var endedAt: Int64 = 0
    /// The smallest difference between our clock and the player's, in ms.
    package var lag: Int64 = 0
    package var end = End.silence
    package var startupMs: Int64?
    package var accessLogStartupMs: Int64?
    package var stalls: Int64 = 0
    package var stalledMs: Int64 = 0
    package var watchedMs: Int64 = 0
    /// Whole bit/s.
    package var avgBitrate: Int64?
    /// The player's own code of a fatal error, `fatal` where it gives none; nil without an error.
    package var errorCode: [UInt8]?
    package var waitedMs: Int64?

    package init() {}

    /// Whether the player or the session said that the play was over.
    package var isReported: Bool { end != .silence && end != .day }
}
