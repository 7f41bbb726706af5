package import PlaybackEvents

/// A play as it waits for its row: plain values, 136 bytes, texts replaced by the numbers of their dictionaries.
package struct StoredPlay: Sendable {
    /// Stands for an absent value.
    package static let absent = Int64.min
    package static let absent32 = Int32.min

    package var id: Identifier128
    package var arrival: Int64
    package var endedAt: Int64
    package var receivedAt: Int64
    /// Meant only with `hasClientClock`.
    var clientEndedAt: Int64
    var ageMs: Int64
    package var bytes: Int64
    package var memoryBytes: Int64
    /// Numbers of dictionaries, 0 for none.
    var run: UInt32 = 0
    var delivery: UInt32 = 0
    var video: UInt32 = 0
    var tagSet: UInt32 = 0
    var error: UInt32 = 0
    package var startupMs: Int32
    package var stalls: Int32
    package var stalledMs: Int32
    package var watchedMs: Int32
    package var avgBitrate: Int32
    package var waitedMs: Int32
    package var accessLogStartupMs: Int32
    package var playerStalls: Int32
    package var playerStalledMs: Int32
    /// 0 stands for absent.
    package var attempt: UInt8
    package var clockSkewed: Bool
    var hasClientClock: Bool
    package var isIdMade: Bool
    var endedBy: Play.Ending?

    /// Nil for a play that no server of ours has archived: a value outside the contract's ranges.
    ///
    /// - Parameter id: the play's own identifier, or the one made for it.
    package init?(_ play: Play, id: Identifier128, arrival: Int64) {
        guard Receipt.times.contains(play.endedAt), Receipt.times.contains(play.receivedAt),
            let startupMs = Self.narrow(play.startupMs), let stalls = Self.narrow(play.stalls),
            let stalledMs = Self.narrow(play.stalledMs), let watchedMs = Self.narrow(play.watchedMs),
            let avgBitrate = Self.narrow(play.avgBitrate), let waitedMs = Self.narrow(play.waitedMs),
            let accessLogStartupMs = Self.narrow(play.accessLogStartupMs),
            let playerStalls = Self.narrow(play.playerStalls),
            let playerStalledMs = Self.narrow(play.playerStalledMs),
            let attempt = UInt8(exactly: play.attempt ?? 0),
            play.stalledMs <= play.watchedMs, Self.isCount(play.bytes), Self.isCount(play.memoryBytes),
            Self.isCount(play.ageMs)
        else { return nil }
        self.id = id
        self.arrival = arrival
        endedAt = play.endedAt
        receivedAt = play.receivedAt
        clientEndedAt = play.clientEndedAt ?? 0
        ageMs = play.ageMs ?? Self.absent
        bytes = play.bytes ?? Self.absent
        memoryBytes = play.memoryBytes ?? Self.absent
        self.startupMs = startupMs
        self.stalls = stalls
        self.stalledMs = stalledMs
        self.watchedMs = watchedMs
        self.avgBitrate = avgBitrate
        self.waitedMs = waitedMs
        self.accessLogStartupMs = accessLogStartupMs
        self.playerStalls = playerStalls
        self.playerStalledMs = playerStalledMs
        self.attempt = attempt
        clockSkewed = play.clockSkewed
        hasClientClock = play.clientEndedAt != nil
        isIdMade = play.playId == nil
        endedBy = play.endedBy
    }

    private static func narrow(_ value: Int64?) -> Int32? {
        guard let value else { return absent32 }
        return value >= 0 ? Int32(exactly: value) : nil
    }

    private static func isCount(_ value: Int64?) -> Bool {
        guard let value else { return true }
        return (0...1 << 53).contains(value)
    }

    var flags: Int64 {
        Int64(
            (clockSkewed ? PlayColumns.clockSkewed : 0) | (isIdMade ? PlayColumns.playIdMade : 0)
                | (endedBy?.rawValue ?? 0) << PlayColumns.endingShift)
    }

    /// The client's own clock at the end of the play, against the time that the play was given; may wrap around.
    var clockLead: Int64? { hasClientClock ? clientEndedAt &- endedAt : nil }

    /// Nothing told when the play ended, so it has the time of its receipt, and a repeat of it would get another.
    package var isDatedByReceipt: Bool {
        clockSkewed || (ageMs == Self.absent && !hasClientClock)
    }

    /// Received in a later hour than the one after its own, or when its hour was closed, whatever its times say.
    ///
    /// - Parameter closed: hours up to this one are closed.
    func isDelayed(closed: Int64) -> Bool {
        let hour = PlayHour(of: endedAt).number
        return hour <= closed || PlayHour(of: receivedAt).number - hour >= 2
    }
}

extension StoredPlay {
    /// What the row of the play holds in a column; nil for NULL, and for the identifier, which is no integer.
    func value(of column: PlayColumn, in hour: PlayHour) -> Int64? {
        switch column {
        case .hour: hour.number
        case .playId: nil
        case .arrival: arrival
        case .delivery: delivery.reference
        case .run: run.reference
        case .startupMs: startupMs.stored
        case .stalls: stalls.stored
        case .stalledMs: stalledMs.stored
        case .watchedMs: watchedMs.stored
        case .avgBitrate: avgBitrate.stored
        case .bytes: bytes.stored
        case .error: error.reference
        case .flags: flags
        case .endedMs: hour.offset
        case .lagMs: receivedAt - endedAt
        case .waitedMs: waitedMs.stored
        case .memoryBytes: memoryBytes.stored
        case .attempt: attempt == 0 ? nil : Int64(attempt)
        case .accessLogStartupMs: accessLogStartupMs.stored
        case .video: video.reference
        case .tagSet: tagSet.reference
        case .clockLead: clockLead
        case .playerStalls: playerStalls.stored
        case .playerStalledMs: playerStalledMs.stored
        }
    }
}

extension UInt32 {
    /// The value of a column that refers to a dictionary, nil for none.
    @inline(__always) var reference: Int64? { self == 0 ? nil : Int64(self) }
}

extension Int32 {
    /// The value of a column, nil for ``StoredPlay/absent32``.
    @inline(__always) var stored: Int64? { self == StoredPlay.absent32 ? nil : Int64(self) }
}

extension Int64 {
    /// The value of a column, nil for ``StoredPlay/absent``.
    @inline(__always) var stored: Int64? { self == StoredPlay.absent ? nil : self }
}
