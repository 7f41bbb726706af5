package import Archive
internal import HTTPServing
internal import PlayFolding
package import PlaybackEvents

/// Puts request bodies and players' reports from files into the logs, through the same judgement as the endpoint.
///
/// A file, plain or gzip, is one body, or bodies and ``ImportLine``s one a line. What can't be taken is told and left
/// out; the rest is imported.
package final class Importer {
    package struct Counts: Sendable, Equatable {
        package var requests = 0
        package var accepted = 0
        package var rejected = 0
        /// Requests that were not taken at all.
        package var faults = 0
        /// Events and reports of those who were erased; they count as accepted or rejected, too.
        package var erased = 0
        /// Reports of players, and lines in their place that are none.
        package var reports = 0
        package var badReports = 0
        /// Lines of another server's logs that are here already.
        package var known = 0

        package init() {}

        package static func += (counts: inout Counts, more: Counts) {
            counts.requests += more.requests
            counts.accepted += more.accepted
            counts.rejected += more.rejected
            counts.faults += more.faults
            counts.erased += more.erased
            counts.reports += more.reports
            counts.badReports += more.badReports
            counts.known += more.known
        }
    }

    /// Every time of receipt that the archive has room for, in ms since 1970.
    package static let anyTime = ImportLine.times

    /// The times of receipt that are no mistake: from 2000 to the end of tomorrow, in ms since 1970.
    package static func believedTimes(now: Int64) -> ClosedRange<Int64> {
        let dayAfterTomorrow = UTCDay(holding: now).number + 2
        return 946_684_800_000...max(946_684_800_000, dayAfterTomorrow * 86_400_000 - 1)
    }

    /// Lines of this many bytes are committed together.
    static let groupBytes = 1 << 20
    /// A line may hold the largest body and what stands round it.
    static let lineLimit = ContractLimits.inflatedBody + 1_024

    private let committer: Committer
    private let tombstones: Tombstones
    private let receivedAt: Int64?
    private let times: () -> ClosedRange<Int64>
    private let now: () -> Int64
    private let onFault: (_ line: Int?, _ reason: String) -> Void
    private var waiting = LogLines(receivedAt: 0)
    private let share = QuarantineShare()
    /// When the last reports were received.
    private var lastReportsAt: Int64?
    package private(set) var counts = Counts()

    /// - Parameters:
    ///   - receivedAt: when bodies by themselves were received, ms since 1970; nil: when their file was last modified, or
    ///     now where they come through a pipe.
    ///   - times: of receipt, which are believed; others are mistakes such as seconds in the place of ms. Asked for each
    ///     request, since a pipe may go on for days.
    ///   - tombstones: whose plays are not taken.
    ///   - now: ms since 1970.
    ///   - onFault: gets each request that is not taken, by its line's number (nil: the file is one body).
    package init(
        committer: Committer, receivedAt: Int64?, times: @autoclosure @escaping () -> ClosedRange<Int64> = anyTime,
        tombstones: Tombstones = Tombstones(secret: Identifier128(high: 0, low: 0)), now: @escaping () -> Int64,
        onFault: @escaping (_ line: Int?, _ reason: String) -> Void
    ) {
        self.committer = committer
        self.tombstones = tombstones
        self.receivedAt = receivedAt
        self.times = times
        self.now = now
        self.onFault = onFault
    }

    /// Imports one file; returns when all of it is durable.
    ///
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - progress: gets the bytes of the file that are done, and all of them.
    /// - Throws: ``ImportFault``, or a ``CommitFault``; what was imported before stays.
    package func load(_ path: String, progress: (Int, Int) -> Void) throws {
        try load(ImportSource(path: path), progress: progress)
    }

    package func load(_ source: ImportSource, progress: (Int, Int) -> Void) throws {
        do {
            try takeAll(of: source, progress)
        } catch let fault as ImportFault {
            try commit()
            throw fault
        }
        try commit()
    }

    private func takeAll(of source: ImportSource, _ progress: (Int, Int) -> Void) throws {
        let limit = ContractLimits.inflatedBody
        if let whole = source.whole(limit: limit) {
            if let line = try? ImportLine.parse(whole) {
                return try take(line, of: whole, number: nil, modifiedAt: source.modifiedAt)
            }
            if !ImportForm.isOneALine(whole) { return refuse(nil, ImportForm.reason(against: whole)) }
        }
        while let (number, bytes) = try source.next(limit: Self.lineLimit) {
            progress(source.position, source.length)
            guard let bytes else {
                refuse(number, "it is longer than \(Self.lineLimit) bytes")
                continue
            }
            if ImportForm.isBlank(bytes) { continue }
            guard let line = try? ImportLine.parse(bytes) else {
                refuse(number, ImportForm.reason(against: bytes))
                continue
            }
            try take(line, of: bytes, number: number, modifiedAt: source.modifiedAt)
        }
    }

    private func take(_ line: ImportLine, of bytes: [UInt8], number: Int?, modifiedAt: Int64?) throws {
        let time = line.receivedAt ?? receivedAt ?? modifiedAt ?? now()
        let times = times()
        guard times.contains(time) else {
            return refuse(number, Self.fault(ofTime: time, in: times, isOwn: line.receivedAt != nil))
        }
        if line.log != nil {
            return refuse(number, "it is a line of a server's log, which has to be a file of its own")
        }
        let receipt = Receipt(receivedAt: time, requestId: .random(), regionHeader: line.regionHeader)
        if let cmcd = line.cmcd { return try take(cmcd, receipt, number) }
        let body = Array(bytes[line.body])
        do {
            var batch = try RequestDecoder.decode(body, receipt: receipt)
            let isRefused = batch.isAllRejected
            counts.requests += 1
            counts.accepted += batch.plays.count
            counts.rejected += batch.rejections.count
            counts.erased += tombstones.remove(from: &batch, body: body)
            try add(Intake.lines(of: batch, body, isRefused: isRefused))
        } catch let fault as RequestFault {
            refuse(number, ImportForm.words(for: fault, against: body))
        }
    }

    private func take(_ cmcd: ImportLine.CMCD, _ receipt: Receipt, _ number: Int?) throws {
        guard cmcd.body.count <= ContractLimits.inflatedBody else {
            return refuse(number, "its cmcd is longer than \(ContractLimits.inflatedBody) bytes")
        }
        let items: [HTTPQueryItem]
        do throws(HTTPFault) {
            items = try HTTPQueryItem.items(of: cmcd.query)
        } catch {
            return refuse(number, "its query: \(error.explanation)")
        }
        let batch =
            cmcd.body.isEmpty
            ? CMCDParser.parse(query: cmcd.query) ?? CMCDBatch() : CMCDParser.parse(body: cmcd.body)
        let (lines, tally) = CMCDIntake.lines(
            of: batch, parameters: items.map { ($0.name, $0.value) }, keyName: "", receipt, share, tombstones)
        counts.requests += 1
        counts.erased += tally.erased
        counts.reports += tally.reports
        counts.badReports += tally.quarantined + tally.quarantineDropped
        if !lines.reports.isEmpty { try moveClock(to: receipt.receivedAt) }
        try add(lines)
    }

    /// Lets the clock of the log of reports go on in full: it moves by a minute and a half from line to line at most, so a
    /// longer pause gets lines that only say what time it is. The log then says by itself when its plays close.
    private func moveClock(to time: Int64) throws(CommitFault) {
        defer { lastReportsAt = time }
        guard var last = lastReportsAt else { return }
        let step = FolderLimits().step
        // After so long nothing is open any more.
        last = max(last, time - Self.longestPause)
        while time - last > step {
            last += step
            var lines = LogLines(receivedAt: last)
            ReportLine(receivedAt: last, requestId: .random()).append(to: &lines.reports)
            try add(lines)
        }
    }

    /// A day and an hour, in ms.
    private static let longestPause: Int64 = 25 * 3_600_000

    /// - Parameter isOwn: whether the line names it, not its file.
    static func fault(ofTime time: Int64, in times: ClosedRange<Int64>, isOwn: Bool) -> String {
        let day = "received on \(UTCDay(holding: time))" + (isOwn ? "" : ", when its file was last modified")
        guard time < times.lowerBound else { return "\(day): after tomorrow; --any-time takes it all the same" }
        let seconds = isOwn && times.contains(time.multipliedReportingOverflow(by: 1_000).partialValue)
        return "\(day): before 2000\(seconds ? " (receivedAt is in ms, not in seconds)" : ""); "
            + "--any-time takes it all the same"
    }

    private func refuse(_ number: Int?, _ reason: String) {
        counts.faults += 1
        onFault(number, reason)
    }

    /// Lines of one day of receipt wait for each other, so that a file costs a sync a mebibyte, not one a request.
    private func add(_ lines: LogLines) throws(CommitFault) {
        if UTCDay(holding: lines.receivedAt) != UTCDay(holding: waiting.receivedAt) { try commit() }
        waiting.receivedAt = lines.receivedAt
        waiting.plays += lines.plays
        waiting.rejected += lines.rejected
        waiting.reports += lines.reports
        if waiting.count >= Self.groupBytes { try commit() }
    }

    private func commit() throws(CommitFault) {
        defer { waiting = LogLines(receivedAt: waiting.receivedAt) }
        try committer.commit(waiting)
    }
}
