import PlaybackEvents

extension PlayFolder {
    /// Looks at a track: closes those of its plays whose time has come, and says when to look again.
    ///
    /// - Parameter cause: closes all of them, whatever the time.
    mutating func look(
        at slot: Int32, receivedAt: Int64, position: Int64, forcing cause: ClosedPlay.Cause?,
        into plays: inout [ClosedPlay]
    ) {
        let track = tracks[slot]
        let entries = track.entries
        let ordered = OrderedEntries(entries)
        let segments = PlayFold.folded(ordered, others: others(than: slot), day: limits.day) {
            contexts.heartbeat($0)
        }
        var kept: [FoldEntry] = []
        var next = Int64.max
        var memory = ClosedTracks.Memory(lastTs: .min, firstLine: .max)
        var held = limits.late
        var failure = closed[track.id]?.failure
        var done = 0
        for (number, segment) in segments.enumerated() {
            done = segment.range.upperBound
            let due = self.due(segment, of: ordered, in: track, isLast: number == segments.count - 1)
            let isDue = cause != nil || due.at <= clock
            guard isDue else {
                kept += ordered.entries[segment.range]
                next = min(next, due.at)
                failure = segment.play.flatMap { Self.failure(of: $0, after: failure, within: limits.attempt) }
                continue
            }
            for entry in ordered.entries[segment.range] {
                if segment.play != nil { memory.lastTs = max(memory.lastTs, entry.lastTs) }
                memory.firstLine = min(memory.firstLine, entry.line)
                held = max(held, limits.late + silence(contexts.heartbeat(entry.context)))
            }
            guard let play = segment.play else { continue }
            let attempt = Self.attempt(of: play, after: failure, within: limits.attempt)
            failure = Self.failure(of: play, after: failure, within: limits.attempt)
            memory.failure = failure
            let writer = PlayWriter(
                keyName: keyNames[Int(track.key)], sid: track.sid, cid: track.cid,
                context: contexts[ordered.entries[segment.range.lowerBound].context], receivedAt: receivedAt)
            plays.append(
                ClosedPlay(
                    batch: writer.batch(play.summary, attempt: attempt),
                    cause: cause ?? due.cause, closedAt: position, gaps: ordered.gaps(in: segment.range),
                    beginsRun: (0...1).contains(ordered.entries[segment.range.lowerBound].sn)))
        }
        if cause == nil {
            let open = ordered.entries[done...]
            kept += open
            if let last = open.map(\.arrival).max() { next = min(next, last + limits.silence) }
        }
        if memory.lastTs > .min {
            closed.remember(track.id, memory, until: clock + limits.late)
            closed.hold(memory.firstLine, until: clock + held)
        }
        if kept.isEmpty || kept.count < ordered.entries.count {
            replace(entries, of: slot, with: kept)
        }
        if !kept.isEmpty { tracks.look(at: slot, at: max(next, clock + 1)) }
    }

    /// When a segment closes by the log's clock, and why.
    private func due(
        _ segment: FoldedSegment, of ordered: OrderedEntries, in track: OpenTrack, isLast: Bool
    ) -> (at: Int64, cause: ClosedPlay.Cause) {
        let entries = ordered.entries[segment.range]
        let began = entries.map(\.arrival).min() ?? clock
        let heartbeat = contexts.heartbeat(entries.first?.context ?? track.base.context)
        let silence = self.silence(heartbeat)
        let lastArrival = isLast ? track.lastArrival : entries.map(\.arrival).max() ?? clock
        guard let play = segment.play else {
            // What begins no play waits for one only where it may be the beginning of one.
            let isBeginning = entries.contains { $0.sn == 0 || $0.sn == 1 }
            let at = isLast && isBeginning ? min(lastArrival + silence, began + limits.day) : began + limits.silence
            return (at, .silence)
        }
        var due: (at: Int64, cause: ClosedPlay.Cause)
        if play.summary.end == .day {
            due = (clock, .day)
        } else if play.summary.end == .failed, isLast {
            // A failed player may go on saying so for ever.
            due = (track.lastNews + silence, .end)
        } else {
            due = (lastArrival + silence, .silence)
        }
        if let arrival = play.endArrival, arrival + limits.afterEnd < due.at {
            due = (arrival + limits.afterEnd, .end)
        }
        if began + limits.day < due.at { due = (began + limits.day, .day) }
        return due
    }

    /// When plays of the same session with other content began.
    private func others(than slot: Int32) -> [OtherPlay] {
        tracks.siblings(of: slot).flatMap { sibling -> [OtherPlay] in
            guard tracks[sibling].hasBegun else { return [] }
            let ordered = OrderedEntries(tracks[sibling].entries)
            return ordered.segments(day: limits.day).compactMap { segment in
                guard let begin = segment.begin else { return nil }
                let first = ordered.entries[segment.range.lowerBound]
                return OtherPlay(
                    firstTs: first.ts, beganAt: ordered.entries[begin].ts, arrival: ordered.entries[begin].arrival)
            }
        }
    }

    private static func attempt(
        of play: FoldedPlay, after failure: ClosedTracks.Failure?, within longest: Int64
    ) -> Int64? {
        guard let failure, play.summary.beganAt >= failure.endedAt,
            play.summary.beganAt - failure.endedAt <= longest
        else { return nil }
        return min(failure.attempt + 1, 100)
    }

    /// What a play leaves for the next one.
    private static func failure(
        of play: FoldedPlay, after failure: ClosedTracks.Failure?, within longest: Int64
    ) -> ClosedTracks.Failure? {
        guard play.summary.errorCode != nil else { return nil }
        return ClosedTracks.Failure(
            endedAt: play.summary.endedAt, attempt: attempt(of: play, after: failure, within: longest) ?? 1)
    }
}

/// Puts a folded play into the form in which requests of our own client arrive at the archive.
private struct PlayWriter {
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
