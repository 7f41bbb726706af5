/// Writes a request's plays as the archive keeps them: a line of JSON each.
///
/// What differs from line to line comes first and what a request's plays share comes last, so that a compressor finds
/// the end of one line and the beginning of the next as one stretch.
package enum ArchiveLine {
    /// More than all names, numbers and identifiers of a line take together.
    private static let fixedLength = 1_024

    /// Appends the account's line, if there is an account, and a line for each play, each ended by LF.
    ///
    /// A play's line names its index in the request where that differs from its place among the plays.
    ///
    /// - Parameter everyIndex: name the index in every line. Needed where lines of a request that is in the archive
    ///   already are added to it later, as a replay does.
    package static func append(_ batch: borrowing PlayBatch, to lines: inout [UInt8], everyIndex: Bool = false) {
        let text = batch.text.span.bytes
        if let account = batch.account {
            let most = fixedLength + LineWriter.longest(text: Int(account.senderId.count))
            lines.append(atMost: most) { $0.put(account: account, receipt: batch.receipt, text: text) }
        }
        for position in batch.plays.indices {
            let index = position < batch.indices.count ? batch.indices[position] : Int32(truncatingIfNeeded: position)
            let named = everyIndex || Int(index) != position ? index : nil
            let most = fixedLength + batch.plays[position].longestTexts
            lines.append(atMost: most) {
                $0.put(play: batch.plays[position], index: named, requestId: batch.receipt.requestId, text: text)
            }
        }
    }
}

extension Play {
    /// The most bytes that its texts take in a line.
    fileprivate var longestTexts: Int {
        let few = videoId.count &+ error.count &+ sessionId.count &+ cdn.count &+ cdnRegion.count &+ network.count
        let more = source.count &+ appVersion.count &+ osVersion.count &+ deviceModel.count &+ player.count
        return LineWriter.longest(text: Int(few) + Int(more)) + Int(tags.count)
    }
}

extension LineWriter {
    fileprivate mutating func put(account: SenderAccount, receipt: Receipt, text: RawSpan) {
        put("{\"sender\":{\"senderId\":")
        put(text: text.extracting(account.senderId.range))
        put(",\"sequence\":")
        put(account.sequence)
        put(",\"made\":")
        put(account.made)
        put(",\"dropped\":")
        put(account.dropped)
        put(",\"rejected\":")
        put(account.rejected)
        put("},\"receivedAt\":")
        put(receipt.receivedAt)
        put(",\"requestId\":\"")
        put(hexadecimal: receipt.requestId)
        put("\"}\n")
    }

    fileprivate mutating func put(play: borrowing Play, index: Int32?, requestId: Identifier128, text: RawSpan) {
        put("{")
        if let id = play.playId {
            put("\"playId\":\"")
            put(uuid: id)
            put("\",")
        }
        if let index {
            put("\"index\":")
            put(Int64(index))
            put(",")
        }
        put("\"videoId\":")
        put(text: text.extracting(play.videoId.range))
        put(",\"stalls\":", play.stalls)
        put(",\"stalledMs\":", play.stalledMs)
        put(",\"watchedMs\":", play.watchedMs)
        put(",\"startupMs\":", play.startupMs)
        put(",\"avgBitrate\":", play.avgBitrate)
        put(",\"error\":", play.error, of: text)
        put(",\"ageMs\":", play.ageMs)
        put(",\"clientEndedAt\":", play.clientEndedAt)
        put(",\"endedAt\":", play.endedAt)
        if play.clockSkewed { put(",\"clockSkewed\":true") }
        put(",\"bytes\":", play.bytes)
        put(",\"memoryBytes\":", play.memoryBytes)
        put(",\"waitedMs\":", play.waitedMs)
        put(",\"accessLogStartupMs\":", play.accessLogStartupMs)
        put(",\"attempt\":", play.attempt)
        put(",\"playerStalls\":", play.playerStalls)
        put(",\"playerStalledMs\":", play.playerStalledMs)
        switch play.endedBy {
        case .reported: put(",\"endedBy\":\"reported\"")
        case .silence: put(",\"endedBy\":\"silence\"")
        case nil: break
        }
        putShared(play: play, text: text)
        put(",\"receivedAt\":")
        put(play.receivedAt)
        put(",\"requestId\":\"")
        put(hexadecimal: requestId)
        put("\"}\n")
    }

    /// What the plays of a request commonly have the same.
    private mutating func putShared(play: borrowing Play, text: RawSpan) {
        put(",\"sessionId\":", play.sessionId, of: text)
        put(",\"cdn\":", play.cdn, of: text)
        put(",\"cdnRegion\":", play.cdnRegion, of: text)
        switch play.regionFrom {
        case .event: put(",\"regionFrom\":\"event\"")
        case .context: put(",\"regionFrom\":\"context\"")
        case .header: put(",\"regionFrom\":\"header\"")
        case nil: break
        }
        put(",\"network\":", play.network, of: text)
        put(",\"source\":", play.source, of: text)
        put(",\"appVersion\":", play.appVersion, of: text)
        put(",\"osVersion\":", play.osVersion, of: text)
        put(",\"deviceModel\":", play.deviceModel, of: text)
        put(",\"player\":", play.player, of: text)
        if !play.tags.isAbsent {
            put(",\"tags\":")
            put(bytes: text.extracting(play.tags.range))
        }
    }

    @inline(__always)
    private mutating func put(_ name: StaticString, _ integer: Int64?) {
        guard let integer else { return }
        put(name)
        put(integer)
    }

    @inline(__always)
    private mutating func put(_ name: StaticString, _ slice: TextSlice, of text: RawSpan) {
        guard !slice.isAbsent else { return }
        put(name)
        put(text: text.extracting(slice.range))
    }
}
