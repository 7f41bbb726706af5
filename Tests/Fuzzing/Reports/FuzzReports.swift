import PlayFolding
import PlaybackEvents

/// What players that speak CMCD send: every line has its verdict, what is kept reads back, and plays are within the
/// contract whatever the reports say.
///
/// The first byte says what the rest is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReports(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 4 {
    case 0: judge(CMCDParser.parse(body: bytes))
    case 1: if let batch = CMCDParser.parse(query: bytes) { judge(batch) }
    case 2: readBack(bytes)
    default: fold(CMCDParser.parse(body: bytes).reports)
    }
    return 0
}

private func judge(_ batch: CMCDBatch) {
    check(batch.lines == batch.reports.count + batch.faults.count + batch.laterVersions, "a line without a verdict")
    check(batch.lines <= CMCDLimits.lines, "too many lines")
    for fault in batch.faults {
        check(fault.raw.count <= CMCDLimits.keptBytes, "more of a line than is kept")
        check(["", "ts", "sid", "cid"].contains(fault.field), "a field that is none")
    }
    for report in batch.reports {
        check(CMCDReport.times.contains(report.ts), "a time outside its range")
        check((1...128).contains(report.sid.count) && (1...128).contains(report.cid.count), "a name of no length")
        check(report.errorCode.count <= CMCDReport.longestWord, "an error code that is too long")
    }
    var line = ReportLine(receivedAt: 1_796_000_000_000, requestId: Identifier128(high: 1, low: 2))
    line.reports = batch.reports
    var written: [UInt8] = []
    line.append(to: &written)
    let bare = written.dropLast()
    let read = try? ReportLine.parse(bare.span.bytes)
    check(read == line, "a line that does not read back: \(String(decoding: written, as: UTF8.self))")
}

private func readBack(_ bytes: [UInt8]) {
    guard let line = try? ReportLine.parse(bytes.span.bytes) else { return }
    var written: [UInt8] = []
    line.append(to: &written)
    let bare = written.dropLast()
    let again = try? ReportLine.parse(bare.span.bytes)
    check(again == line, "a line that changes when it is written")
}

/// Folds the reports forwards, backwards and in a folder that may hold next to nothing.
private func fold(_ reports: [CMCDReport]) {
    // The pure fold is about one session and content.
    if let first = reports.first {
        let own = reports.filter { $0.sid == first.sid && $0.cid == first.cid }
        let plays = PlayFold.plays(of: own, heartbeatMs: 10_000)
        check(PlayFold.plays(of: own.reversed() + own, heartbeatMs: 10_000) == plays, "plays that depend on the order")
    }
    var limits = FolderLimits()
    limits.changes = 20
    limits.bytes = 4_000
    var folder = PlayFolder(limits: limits)
    var closed: [ClosedPlay] = []
    for (position, report) in reports.enumerated() {
        var line = ReportLine(
            receivedAt: 1_796_000_000_000 + Int64(position) * 20_000, requestId: Identifier128(high: 1, low: 2))
        line.reports = [report]
        closed += folder.take(line, at: Int64(position))
    }
    closed += folder.closeAll(receivedAt: 1_796_100_000_000, at: Int64(reports.count))
    check(folder.counters.open == 0, "plays that stay open")
    for play in closed {
        var lines: [UInt8] = []
        ArchiveLine.append(play.batch, to: &lines)
        var logged = LoggedPlays()
        let bare = lines.dropLast()
        let isRead: Void? = try? logged.append(line: bare.span.bytes)
        check(isRead != nil, "a play that can't be read back: \(String(decoding: lines, as: UTF8.self))")
    }
}
