import PlaybackEvents

/// Bodies of requests, and lines that are read back: what is accepted is whole and comes back as it was.
///
/// The first byte says what the rest is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBodies(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 4 {
    case 0: decode(bytes)
    case 1: readArchived(bytes)
    case 2: readQuarantined(bytes)
    default:
        if let line = try? ImportLine.parse(bytes) {
            check(line.body.lowerBound >= 0 && line.body.upperBound <= bytes.count, "a body beyond its line")
        }
    }
    return 0
}

private func decode(_ body: [UInt8]) {
    let receipt = Receipt(
        receivedAt: 1_796_000_000_000, requestId: Identifier128(high: 1, low: 2), regionHeader: Array(body.prefix(9)))
    guard let batch = try? RequestDecoder.decode(body, receipt: receipt) else { return }
    let positions = (batch.indices.map(Int.init) + batch.rejections.map(\.index)).sorted()
    check(positions == Array(0..<positions.count), "an event without a verdict, or with two")
    check(batch.indices.count == batch.plays.count, "a play without its index")
    for rejection in batch.rejections {
        check(rejection.bytes.lowerBound >= 0 && rejection.bytes.upperBound <= body.count, "bytes beyond the body")
    }
    for play in batch.plays {
        check(play.videoId.count >= 1 && play.videoId.count <= 128, "a video's name that is too long")
        for text in [play.sessionId, play.cdn, play.cdnRegion, play.network, play.source, play.appVersion, play.player]
        where !text.isAbsent {
            check(text.count >= 1 && text.count <= 128, "a text that is empty or too long")
        }
        check(play.stalledMs >= 0 && play.stalledMs <= play.watchedMs, "stalled for longer than watched")
        check((play.regionFrom == nil) == play.cdnRegion.isAbsent, "a region from nowhere")
    }
    archive(batch)
    quarantine(batch, body)
}

/// Writes the plays as lines and reads them back.
private func archive(_ batch: PlayBatch) {
    var lines: [UInt8] = []
    ArchiveLine.append(batch, to: &lines)
    var logged = LoggedPlays()
    for line in lines.split(separator: 0x0A) {
        let isRead: Void? = try? logged.append(line: line.span.bytes)
        check(isRead != nil, "a line that can't be read back: \(String(decoding: line, as: UTF8.self))")
    }
    check(logged.entries.count == batch.plays.count + (batch.account == nil ? 0 : 1), "lines lost or won")
    check(logged.entries.suffix(batch.plays.count).map(\.index) == batch.indices, "another index")
    for (entry, play) in zip(logged.entries.suffix(batch.plays.count), batch.plays) {
        guard case .play(let read) = entry.kind else { fatalError("a line that is no play") }
        check(read.endedAt == play.endedAt && read.watchedMs == play.watchedMs, "other figures")
        check(
            read.playerStalls == play.playerStalls && read.playerStalledMs == play.playerStalledMs,
            "another account of the player")
        check(logged.string(read.videoId) == batch.string(play.videoId), "another video")
        check(logged.string(read.tags) == batch.string(play.tags), "other tags")
    }
}

private func quarantine(_ batch: PlayBatch, _ body: [UInt8]) {
    var lines: [UInt8] = []
    QuarantineLine.append(batch, body: body, to: &lines)
    let read = lines.split(separator: 0x0A).map { line in
        try? QuarantineLine.parse(line.span.bytes)
    }
    check(read.count == batch.rejections.count, "rejected events lost or won")
    for (line, rejection) in zip(read, batch.rejections) {
        check(line?.raw == Array(body[rejection.bytes]), "other bytes")
        check(line?.code == rejection.code.rawValue && line?.field == rejection.field, "another fault")
    }
}

private func readArchived(_ line: [UInt8]) {
    var logged = LoggedPlays()
    _ = try? logged.append(line: line.span.bytes)
    for entry in logged.entries {
        check(entry.line.range.upperBound <= logged.text.count, "a line beyond the text")
        guard case .play(let play) = entry.kind else { continue }
        for text in [play.videoId, play.sessionId, play.cdn, play.cdnRegion, play.error, play.tags, play.player] {
            check(text.range.lowerBound >= 0 && text.range.upperBound <= logged.text.count, "a text beyond the text")
        }
    }
}

private func readQuarantined(_ line: [UInt8]) {
    guard let read = try? QuarantineLine.parse(line.span.bytes) else { return }
    var lines: [UInt8] = []
    read.append(to: &lines)
    lines.removeLast()
    let again = try? QuarantineLine.parse(lines.span.bytes)
    check(again == read, "a line of the quarantine that changes when it is written")
}
