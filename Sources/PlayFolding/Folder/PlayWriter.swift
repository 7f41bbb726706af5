import PlaybackEvents

/// Puts a folded play into the form in which requests of our own client arrive at the archive.
struct PlayWriter {
    /// What names the play: key, session, content.
    let keyName: [UInt8]
    let sid: ArraySlice<UInt8>
    let cid: ArraySlice<UInt8>
    let context: ReportContext
    /// When the line was received that closed it, ms since 1970.
    let receivedAt: Int64

    func batch(_ summary: PlaySummary, attempt: Int64?) -> PlayBatch {
        let id = playId(summary.beganAt)
        var batch = PlayBatch(receipt: Receipt(receivedAt: receivedAt, requestId: id))
        var play = Play()
        func text(_ bytes: some Collection<UInt8>) -> TextSlice {
            if bytes.isEmpty { return .absent }
            let slice = TextSlice(offset: Int32(batch.text.count), count: Int32(bytes.count))
            batch.text += bytes
            return slice
        }
        play.playId = id
        play.videoId = text(cid)
        play.sessionId = text(sid)
        play.stalls = summary.stalls
        play.stalledMs = summary.stalledMs
        play.watchedMs = summary.watchedMs
        play.startupMs = summary.startupMs
        play.avgBitrate = summary.avgBitrate
        play.waitedMs = summary.waitedMs
        play.accessLogStartupMs = summary.accessLogStartupMs
        play.attempt = attempt
        if let code = summary.errorCode { play.error = text(error(code)) }
        play.cdn = text(context.cdn)
        play.cdnRegion = text(context.cdnRegion)
        if !context.cdnRegion.isEmpty { play.regionFrom = .context }
        play.network = text(context.network)
        play.source = text(context.source)
        play.appVersion = text(context.appVersion)
        play.player = text(context.player)
        play.tags = text(context.tags)
        play.endedBy = summary.isReported ? .reported : .silence
        play.receivedAt = receivedAt
        // No report comes before it was made, so the smallest difference tells the player's clock from ours. Where that
        // clock was set meanwhile, the play ended no longer ago than the contract believes anybody.
        play.endedAt = max(min(summary.endedAt + summary.lag, receivedAt), receivedAt - Play.longestAge)
        batch.plays = [play]
        batch.indices = [0]
        return batch
    }

    /// `PLAYER#CODE`, or the code alone where the address names no player that a domain could be.
    private func error(_ code: [UInt8]) -> [UInt8] {
        guard (1...64).contains(context.player.count) else { return code }
        return context.player + [UInt8(ascii: "#")] + code
    }

    /// A UUID of version 8 (RFC 9562): what names the play, hashed, so that folding again gives the same.
    private func playId(_ beganAt: Int64) -> Identifier128 {
        var name: [UInt8] = []
        for text in [keyName[...], sid, cid] {
            name.append(UInt8(truncatingIfNeeded: text.count >> 8))
            name.append(UInt8(truncatingIfNeeded: text.count))
            name += text
        }
        for shift in stride(from: Int64(56), through: 0, by: -8) {
            name.append(UInt8(truncatingIfNeeded: beganAt >> shift))
        }
        let digest = SHA256.digest(name).bytes
        func word(_ from: Int) -> UInt64 { digest[from..<from + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        let version: UInt64 = 8 << 12
        let variant: UInt64 = 2 << 62
        return Identifier128(
            high: word(0) & ~(0xF << 12) | version, low: word(8) & ~(3 << 62) | variant)
    }
}
