internal import ClickHouse
internal import PlayStore
internal import PlaybackEvents

/// The row of a play in `stored_plays`.
enum PlayRow {
    private static let tab = UInt8(ascii: "\t")

    /// Appends all columns of a play but the first two, its day and hour, and ends the row.
    ///
    /// - Returns: what tells a repeat that says the same from one that does not.
    static func append(
        _ play: Play, _ stored: StoredPlay, version: UInt64, node: ClickHouseNode, _ bytes: RawSpan,
        to row: inout [UInt8]
    ) -> Int {
        row.append(tab)
        row.append(uuid: stored.id)
        row.append(tab)
        TSVText.append(version, to: &row)
        row.append(tab)
        row += node.name.utf8
        add(node.arrival(stored.arrival), to: &row)
        add(stored.endedAt, to: &row)
        add(stored.receivedAt, to: &row)
        add(stored.clockSkewed ? 1 : 0, to: &row)
        add(stored.isIdMade ? 1 : 0, to: &row)
        add(play.attempt, to: &row)
        add(play.regionFrom.map { "\($0)" }, to: &row)
        add(play.endedBy?.name, to: &row)
        // A region that no client named is no part of what was said.
        let region = row.count
        add(play.cdnRegion, bytes, to: &row)
        let said = play.regionFrom == .event || play.regionFrom == .context ? region : row.count
        for text in [
            play.sessionId, play.videoId, play.cdn, play.network, play.source, play.appVersion, play.osVersion,
            play.deviceModel, play.player, play.tags, play.error,
        ] { add(text, bytes, to: &row) }
        addFigures(play, to: &row)
        row.append(UInt8(ascii: "\n"))
        var hasher = Hasher()
        row[said...].withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(play.bytes)
        hasher.combine(play.clientEndedAt)
        hasher.combine(max(1, play.attempt ?? 1))
        return hasher.finalize()
    }

    private static func addFigures(_ play: Play, to row: inout [UInt8]) {
        add(play.startupMs, to: &row)
        add(play.stalls, to: &row)
        add(play.stalledMs, to: &row)
        add(play.watchedMs, to: &row)
        add(play.avgBitrate, to: &row)
        let (bytes, isEstimated) = weight(of: play)
        add(bytes, to: &row)
        add(isEstimated ? 1 : 0, to: &row)
        add(play.waitedMs, to: &row)
        add(play.memoryBytes, to: &row)
        add(play.accessLogStartupMs, to: &row)
        add(play.playerStalls, to: &row)
        add(play.playerStalledMs, to: &row)
    }

    /// The play's bytes by the definitions of the metrics, and whether they are estimated.
    static func weight(of play: Play) -> (bytes: Int64?, isEstimated: Bool) {
        if let bytes = play.bytes { return (bytes, false) }
        guard play.startupMs != nil || play.watchedMs > 0 else { return (0, false) }
        guard let bitrate = play.avgBitrate else { return (nil, false) }
        return ((bitrate &* (play.watchedMs &- play.stalledMs) &+ 4_000) / 8_000, true)
    }

    private static func add(_ value: Int64?, to row: inout [UInt8]) {
        row.append(tab)
        TSVText.append(value, to: &row)
    }

    private static func add(_ word: String?, to row: inout [UInt8]) {
        guard let word else { return add(Int64?.none, to: &row) }
        row.append(tab)
        row += word.utf8
    }

    private static func add(_ text: TextSlice, _ bytes: RawSpan, to row: inout [UInt8]) {
        guard !text.isAbsent else { return add(Int64?.none, to: &row) }
        row.append(tab)
        TSVText.append(bytes.extracting(text.range), to: &row)
    }
}

extension [UInt8] {
    /// Appends the text form of a UUID.
    fileprivate mutating func append(uuid id: Identifier128) {
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 { append(UInt8(ascii: "-")) }
            let word = digit < 16 ? id.high : id.low
            let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4) & 15)
            append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
        }
    }
}
