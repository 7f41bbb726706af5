/// A store that hands over its plays one by one, for tallies in memory: where the engine sorts for every grouping, this is
/// many times as fast.
package protocol PlayScanner: AnyObject {
    /// Visits the plays of a stretch, in an order that the same store always gives.
    ///
    /// - Parameters:
    ///   - stretch: the plays that have to be visited; others may be among them.
    ///   - parts: what of a play is wanted; the rest of it may stay as it is in a new ``ScannedPlay``.
    /// - Throws: what the store says, or what `visit` throws, which ends the scan.
    func scan(_ stretch: PlayStretch, _ parts: ScannedPlay.Parts, _ visit: (ScannedPlay) throws -> Void) throws

    /// Two halves of a stretch, together in the order of the whole, of which another scanner reads the second at the same
    /// time on another thread and sees the same plays; nil where that can't be or is not worth it.
    func halves(of stretch: PlayStretch) throws -> PlayHalves?

    /// The value of a dimension that an entry of the store's dictionaries holds; nil where the play has none.
    ///
    /// Two entries may hold the same value. Not for ``PlayDimension/day`` and ``PlayDimension/hour``.
    func value(of dimension: PlayDimension, in entry: Int64) throws -> ByteText?

    /// Who named the region of an entry of ``ScannedPlay/delivery``.
    func regionSource(in entry: Int64) throws -> ScannedPlay.RegionSource?

    /// The entries of runs that belong to no session.
    func sessionlessRuns() throws -> [UInt32]

    /// The session of a run, nil for one that belongs to none.
    func session(in run: UInt32) throws -> ByteText?

    /// Visits the sessions of runs in their order, by their bytes; a run that belongs to none is left out.
    ///
    /// - Parameter runs: ascending.
    func sessions(of runs: [UInt32], _ visit: (UInt32, UnsafeRawBufferPointer) throws -> Void) throws

    /// Visits the senders' accounts that were received before a time, in the order of the log.
    ///
    /// - Parameter end: ms since 1970.
    func accounts(receivedBefore end: Int64, _ visit: (Account) throws -> Void) throws

    /// Visits the names of all senders; two entries may have the same.
    func senders(_ visit: (Int, UnsafeRawBufferPointer) throws -> Void) throws
}

/// Plays that a scan has to visit.
package struct PlayStretch: Sendable {
    /// UTC hours since 1970 of the plays' own time; nil for all plays.
    package var hours: ClosedRange<Int64>?
    /// UTC hours of receipt: plays received in them are wanted too, wherever they lie.
    package var receipts: ClosedRange<Int64>?
    /// One of two halves: the plays of the order's first part before an hour, or the rest.
    package var half: Half?

    package enum Half: Sendable {
        case before(Int64)
        case after(Int64)
    }

    package init(hours: ClosedRange<Int64>?, receipts: ClosedRange<Int64>? = nil) {
        self.hours = hours
        self.receipts = receipts
    }
}

/// A stretch cut in two.
package struct PlayHalves {
    package var first: PlayStretch
    package var second: PlayStretch
    /// Reads the second one.
    package var companion: any PlayScanner

    package init(first: PlayStretch, second: PlayStretch, companion: any PlayScanner) {
        self.first = first
        self.second = second
        self.companion = companion
    }
}

/// One play as a store keeps it: numbers, and entries of its dictionaries for texts; entry 0 is no text.
package struct ScannedPlay: Sendable {
    package enum RegionSource: Sendable {
        case event, context, header
    }

    /// What a reader wants beside times, arrival and the entries of delivery, run and error.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Everything that is counted, and the marks.
        package static let figures = Parts(rawValue: 1)
        package static let video = Parts(rawValue: 2)
        package static let tags = Parts(rawValue: 4)
    }

    /// ms since 1970.
    package var endedAt: Int64 = 0
    package var receivedAt: Int64 = 0
    package var arrival: Int64 = 0
    /// Absent numbers are -1.
    package var startupMs: Int64 = -1
    package var stalls: Int64 = 0
    package var stalledMs: Int64 = 0
    package var watchedMs: Int64 = 0
    package var avgBitrate: Int64 = -1
    /// Bytes as they were sent.
    package var bytes: Int64 = -1
    package var waitedMs: Int64 = -1
    package var memoryBytes: Int64 = -1
    package var attempt: Int64 = -1
    package var accessLogStartupMs: Int64 = -1
    package var playerStalls: Int64 = -1
    package var playerStalledMs: Int64 = -1
    package var clockSkewed = false
    package var isPlayIdMade = false
    // Entries of dictionaries.
    /// CDN, region, network, source.
    package var delivery: Int64 = 0
    /// Session, app version, OS version, device, player.
    package var run: Int64 = 0
    package var video: Int64 = 0
    package var error: Int64 = 0
    package var tags: Int64 = 0

    package init() {}
}

extension ScannedPlay {
    var isStarted: Bool { startupMs >= 0 || watchedMs > 0 }
    var isFailed: Bool { error != 0 }

    /// The player counted other stalls, or its time in them is more than 250 ms off.
    var stallsDiffer: Bool {
        (playerStalls >= 0 && playerStalls != stalls)
            || (playerStalledMs >= 0 && abs(playerStalledMs - stalledMs) > 250)
    }

    /// What the bitrate makes in the playing time, half up to the whole byte; 0 without a bitrate.
    var ratedBytes: Int64 {
        avgBitrate < 0 ? 0 : (avgBitrate * (watchedMs - stalledMs) + 4_000) / 8_000
    }

    /// The bytes of the definitions, -1 for unknown.
    var countedBytes: Int64 {
        if bytes >= 0 { return bytes }
        return !isStarted ? 0 : avgBitrate < 0 ? -1 : ratedBytes
    }

    /// The dictionary entry that holds a dimension.
    func entry(_ dimension: PlayDimension) -> Int64 {
        switch dimension {
        case .cdnRegion, .cdn, .network, .source: delivery
        case .appVersion, .osVersion, .deviceModel, .player: run
        case .videoId: video
        case .errorCode: error
        case .tag: tags
        case .day, .hour: 0
        }
    }
}
