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
    /// - Throws: ``ImportError``, or a ``CommitError``; what was imported before stays.
    package func load(_ path: String, progress: (Int, Int) -> Void) throws {
        try load(ImportSource(path: path), progress: progress)
    }

    package func load(_ source: ImportSource, progress: (Int, Int) -> Void) throws {
        do {
            try takeAll(of: source, progress)
        } catch let fault as ImportError {
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
        } catch let fault as RequestError {
            refuse(number, ImportForm.words(for: fault, against: body))
        }
    }

    private func take(_ cmcd: ImportLine.CMCD, _ receipt: Receipt, _ number: Int?) throws {
        guard cmcd.body.count <= ContractLimits.inflatedBody else {
            return refuse(number, "its cmcd is longer than \(ContractLimits.inflatedBody) bytes")
        }
        let items: [HTTPQueryItem]
        do throws(HTTPError) {
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
    private func moveClock(to time: Int64) throws(CommitError) {
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
    private func add(_ lines: LogLines) throws(CommitError) {
        if UTCDay(holding: lines.receivedAt) != UTCDay(holding: waiting.receivedAt) { try commit() }
        waiting.receivedAt = lines.receivedAt
        waiting.plays += lines.plays
        waiting.rejected += lines.rejected
        waiting.reports += lines.reports
        if waiting.count >= Self.groupBytes { try commit() }
    }

    private func commit() throws(CommitError) {
        defer { waiting = LogLines(receivedAt: waiting.receivedAt) }
        try committer.commit(waiting)
    }
}

/// Tells the two forms of an import apart, and what is wrong with one that is neither.
enum ImportForm {
    /// Whether a file that is no single body is meant as one a line: its first line is JSON by itself, or any of its lines
    /// is a request.
    ///
    /// - Complexity: O(n).
    static func isOneALine(_ file: [UInt8]) -> Bool {
        let lines = file.split(separator: 0x0A).filter { !isBlank($0) }
        guard let first = lines.first else { return true }
        return fault(of: Array(first))?.code != .invalidJSON || lines.contains { isRequest(Array($0)) }
    }

    static func isBlank(_ line: some Sequence<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
    }

    /// What is wrong with a text that ``ImportLine`` does not take.
    static func reason(against text: [UInt8]) -> String {
        if let fault = fault(of: text), fault.code == .invalidJSON { return fault.words }
        do throws(LineError) {
            _ = try ImportLine.parse(text)
            return ""
        } catch {
            return error.reason
        }
    }

    /// What is wrong with a body, in words that help somebody who has plays in another form.
    static func words(for fault: RequestError, against body: [UInt8]) -> String {
        let wrapped = Array(#"{"events":["#.utf8) + body + Array("]}".utf8)
        guard fault.code != .invalidJSON, self.fault(of: wrapped) == nil, isEvent(body) else { return fault.words }
        return #"it is an event by itself: a request has its events in a list, {"events": [EVENT, …]}"#
    }

    /// Whether it has what every event must have, good or not.
    private static func isEvent(_ body: [UInt8]) -> Bool {
        String(decoding: body, as: UTF8.self).contains(/"videoId"\s*:/)
    }

    private static func isRequest(_ text: [UInt8]) -> Bool {
        guard let line = try? ImportLine.parse(text) else { return false }
        return fault(of: Array(text[line.body])) == nil
    }

    private static func fault(of body: [UInt8]) -> RequestError? {
        do throws(RequestError) {
            _ = try RequestDecoder.decode(body, receipt: Receipt(receivedAt: 0, requestId: .random()))
            return nil
        } catch {
            return error
        }
    }
}

extension RequestError {
    /// Code and message, for people.
    var words: String { "\(code.rawValue): \(message)" }
}
