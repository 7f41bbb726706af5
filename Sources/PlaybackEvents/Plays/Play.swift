/// One accepted play: the contract's fields after all defaults, and what the server decided.
///
/// Texts are slices of the batch that holds the play. Units and ranges are the contract's.
package struct Play: Sendable, Equatable {
    /// Who named the edge region.
    package enum RegionSource: UInt8, Sendable, CaseIterable {
        case event = 1
        case context = 2
        case header = 3
    }

    /// What ended a play that was put together from a player's reports.
    package enum Ending: UInt8, Sendable, CaseIterable {
        /// The player said so, by an end, an error, or the next play.
        case reported = 1
        /// No more reports came.
        case silence = 2
    }

    package var videoId = TextSlice.absent
    package var stalls: Int64 = 0
    package var stalledMs: Int64 = 0
    package var watchedMs: Int64 = 0
    package var startupMs: Int64?
    /// Whole bit/s, never 0.
    package var avgBitrate: Int64?
    /// The error code of the reports: the error's own string, or `DOMAIN#CODE`.
    package var error = TextSlice.absent
    package var playId: Identifier128?
    package var sessionId = TextSlice.absent
    package var ageMs: Int64?
    /// The client's own clock at the end of the play, ms since 1970.
    package var clientEndedAt: Int64?
    package var bytes: Int64?
    package var memoryBytes: Int64?
    package var waitedMs: Int64?
    package var accessLogStartupMs: Int64?
    package var attempt: Int64?
    /// The player's own count and time of stalls: a cross-check.
    package var playerStalls: Int64?
    package var playerStalledMs: Int64?
    package var cdn = TextSlice.absent
    package var cdnRegion = TextSlice.absent
    package var network = TextSlice.absent
    package var source = TextSlice.absent
    package var appVersion = TextSlice.absent
    package var osVersion = TextSlice.absent
    package var deviceModel = TextSlice.absent
    package var player = TextSlice.absent
    /// A JSON object of the tags after merging, keys in byte order, no white space; absent when there is none.
    package var tags = TextSlice.absent

    // What the server decided.

    /// When the play ended by the contract's rules, ms since 1970.
    package var endedAt: Int64 = 0
    /// When the request was received, ms since 1970.
    package var receivedAt: Int64 = 0
    /// An `ageMs` or `endedAt` was sent and not believed.
    package var clockSkewed = false
    package var regionFrom: RegionSource?
    /// Absent for a play that a client summed up itself.
    package var endedBy: Ending?

    package init() {}
}

extension Play {
    /// Sets one of the fields that are plain texts.
    mutating func set(_ field: EventField, _ text: TextSlice) {
        switch field {
        case .videoId: videoId = text
        case .sessionId: sessionId = text
        case .cdn: cdn = text
        case .cdnRegion: cdnRegion = text
        case .network: network = text
        case .source: source = text
        case .appVersion: appVersion = text
        case .osVersion: osVersion = text
        case .deviceModel: deviceModel = text
        case .player: player = text
        default: break
        }
    }
}

extension Play {
    /// An age, or a client's clock in the past, is believed up to so many ms: 30 days.
    package static let longestAge: Int64 = 30 * 86_400_000
    /// A client's clock may be so many ms ahead: 5 minutes.
    static let largestLead: Int64 = 5 * 60_000

    /// Decides when the play ended: by its age, else by a client's clock that can be believed, else at the receipt.
    mutating func date(receivedAt: Int64) {
        self.receivedAt = receivedAt
        endedAt = receivedAt
        clockSkewed = false
        if let ageMs {
            if ageMs <= Self.longestAge {
                endedAt = receivedAt &- ageMs
            } else {
                clockSkewed = true
            }
        } else if let clientEndedAt {
            if clientEndedAt >= receivedAt &- Self.longestAge, clientEndedAt <= receivedAt &+ Self.largestLead {
                endedAt = min(clientEndedAt, receivedAt)
            } else {
                clockSkewed = true
            }
        }
    }
}
