internal import PlaybackEvents

/// Plays of one UTC hour in columns: sorted by session, time and arrival, so that the plays of a session stand together.
///
/// Each array has room for ``mostPlays``; the first `count` of its values are meant, and only in columns that were asked
/// for. Absent numbers are -1, absent entries of dictionaries 0.
package struct PlayColumns {
    package static let mostPlays = 16_384

    /// UTC hours since 1970.
    package var hour: Int64 = 0
    package var count = 0

    /// The number of the session, 0 for none.
    package var session: [Int32] = []
    // Entries of dictionaries.
    /// Of `deliveries`: CDN, region, network, source.
    package var context: [Int32] = []
    package var device: [Int32] = []
    package var video: [Int32] = []
    package var tags: [Int32] = []
    package var error: [Int32] = []
    /// Within the hour, 0–3,599,999.
    package var endedMs: [Int32] = []
    /// The time of receipt less that of the play.
    package var lagMs: [Int64] = []
    package var startupMs: [Int32] = []
    package var stalls: [Int32] = []
    package var stalledMs: [Int32] = []
    package var watchedMs: [Int32] = []
    /// Bits per second.
    package var avgBitrate: [Int32] = []
    package var waitedMs: [Int32] = []
    package var attempt: [Int32] = []
    package var accessLogStartupMs: [Int32] = []
    package var playerStalls: [Int32] = []
    package var playerStalledMs: [Int32] = []
    /// As they were sent.
    package var bytes: [Int64] = []
    package var memoryBytes: [Int64] = []
    /// ``clockSkewed``, ``playIdMade`` and, from ``endingShift`` on, what ended the play.
    package var flags: [UInt8] = []

    package static let clockSkewed: UInt8 = 1
    package static let playIdMade: UInt8 = 2
    package static let endingShift: UInt8 = 2
    package static let ending: UInt8 = 3 << endingShift
    package static let endedBySilence = Play.Ending.silence.rawValue << endingShift

    package init() {}
}

extension PlayColumns {
    /// Which columns are wanted.
    package struct Selection: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let session = Column.session.selection
        package static let context = Column.context.selection
        package static let device = Column.device.selection
        /// Read from rows, as all other columns then are: as slow as rows.
        package static let video = Column.video.selection
        package static let tags = Column.tags.selection
        package static let error = Column.error.selection
        package static let endedMs = Column.endedMs.selection
        package static let lagMs = Column.lagMs.selection
        package static let startupMs = Column.startupMs.selection
        package static let stalls = Column.stalls.selection
        package static let stalledMs = Column.stalledMs.selection
        package static let watchedMs = Column.watchedMs.selection
        package static let avgBitrate = Column.avgBitrate.selection
        package static let waitedMs = Column.waitedMs.selection
        package static let attempt = Column.attempt.selection
        package static let accessLogStartupMs = Column.accessLogStartupMs.selection
        package static let playerStalls = Column.playerStalls.selection
        package static let playerStalledMs = Column.playerStalledMs.selection
        package static let bytes = Column.bytes.selection
        package static let memoryBytes = Column.memoryBytes.selection
        package static let flags = Column.flags.selection

        func contains(_ column: Column) -> Bool { contains(column.selection) }
    }

    /// The columns. Their numbers stand in databases.
    enum Column: UInt8, CaseIterable, Sendable {
        case session = 1
        case endedMs = 3
        case context, error, startupMs, stalls, stalledMs, watchedMs, avgBitrate, bytes, waitedMs, memoryBytes, attempt
        case accessLogStartupMs, playerStalls, playerStalledMs, flags, lagMs, device, tags, video

        var selection: Selection { Selection(rawValue: 1 << UInt32(rawValue)) }

        /// Where its values are.
        var storage: Storage {
            switch self {
            case .session: .narrow(\.session)
            case .endedMs: .narrow(\.endedMs)
            case .context: .narrow(\.context)
            case .error: .narrow(\.error)
            case .startupMs: .narrow(\.startupMs)
            case .stalls: .narrow(\.stalls)
            case .stalledMs: .narrow(\.stalledMs)
            case .watchedMs: .narrow(\.watchedMs)
            case .avgBitrate: .narrow(\.avgBitrate)
            case .bytes: .wide(\.bytes)
            case .waitedMs: .narrow(\.waitedMs)
            case .memoryBytes: .wide(\.memoryBytes)
            case .attempt: .narrow(\.attempt)
            case .accessLogStartupMs: .narrow(\.accessLogStartupMs)
            case .playerStalls: .narrow(\.playerStalls)
            case .playerStalledMs: .narrow(\.playerStalledMs)
            case .flags: .bits(\.flags)
            case .lagMs: .wide(\.lagMs)
            case .device: .narrow(\.device)
            case .tags: .narrow(\.tags)
            case .video: .narrow(\.video)
            }
        }
    }

    enum Storage {
        case narrow(WritableKeyPath<PlayColumns, [Int32]>)
        case wide(WritableKeyPath<PlayColumns, [Int64]>)
        case bits(WritableKeyPath<PlayColumns, [UInt8]>)
    }

    /// Gives a column its memory, once.
    mutating func makeRoom(for column: Column) {
        switch column.storage {
        case .narrow(let path): Self.makeRoom(&self[keyPath: path])
        case .wide(let path): Self.makeRoom(&self[keyPath: path])
        case .bits(let path): Self.makeRoom(&self[keyPath: path])
        }
    }

    private static func makeRoom<Value: FixedWidthInteger>(_ values: inout [Value]) {
        if values.count < mostPlays { values = [Value](repeating: 0, count: mostPlays) }
    }
}
