internal import Archive
internal import PlayFolding
internal import PlaybackEvents

/// The way of a player's reports from what was parsed to the lines that the logs keep: the same for the endpoint and for
/// imports.
enum CMCDIntake {
    /// More than what a report becomes in memory beside its texts, in bytes.
    private static let reportBytes = 1_024

    /// More than reports take in memory and in the log together, in bytes, as far as can be told from their body.
    ///
    /// - Complexity: O(n).
    static func mostBytes(of body: [UInt8]) -> Int {
        let lines = min(CMCDLimits.lines, 1 + body.count { $0 == 0x0A })
        // What the quarantine keeps of a line may be controls, of which each takes six bytes there.
        return 8_192 + 2 * body.count + 6 * min(body.count, lines * CMCDLimits.keptBytes) + lines * reportBytes
    }

    /// Writes the lines of a request: one for its reports, one for each line that is none.
    ///
    /// - Parameters:
    ///   - parameters: those of the address, decoded; what is not known of them is dropped, a key among them.
    ///   - tombstones: whose reports are not taken.
    ///   - keyName: the name of the write key; empty without keys.
    static func lines(
        of batch: CMCDBatch, parameters: [(String, String)], keyName: String, _ receipt: Receipt,
        _ share: QuarantineShare, _ tombstones: Tombstones
    ) -> (lines: LogLines, tally: CMCDTally) {
        var tally = CMCDTally(batch)
        var lines = LogLines(receivedAt: receipt.receivedAt)
        if !batch.reports.isEmpty {
            var line = ReportLine(receivedAt: receipt.receivedAt, requestId: receipt.requestId)
            line.keyName = Array(keyName.utf8)
            (line.context, tally.ignoredParameters) = ReportContext.parse(
                parameters.map { (name: $0.0, value: $0.1) })
            line.reports = batch.reports
            tally.erased = tombstones.remove(from: &line)
            tally.reports -= tally.erased
            if !line.reports.isEmpty { line.append(to: &lines.reports) }
        }
        for fault in batch.faults {
            if tombstones.has(anyTextOf: fault.raw) {
                tally.erased += 1
                continue
            }
            let before = lines.rejected.count
            QuarantineLine(
                receivedAt: receipt.receivedAt, requestId: receipt.requestId, index: Int64(fault.index),
                code: CMCDError.code, field: fault.field, raw: fault.raw
            ).append(to: &lines.rejected)
            if share.take(lines.rejected.count - before) {
                tally.quarantined += 1
            } else {
                lines.rejected.removeSubrange(before...)
                tally.quarantineDropped += 1
            }
        }
        return (lines, tally)
    }
}

/// What is counted of a request of reports once it is durable.
struct CMCDTally: Sendable {
    var lines: Int
    var reports: Int
    var ignoredKeys: Int
    var laterVersions: Int
    var linesTooMany: Int
    var ignoredParameters = 0
    /// Lines that are no reports: set aside, and such as the quarantine had no share for.
    var quarantined = 0
    var quarantineDropped = 0
    /// Reports and lines of sessions that were erased: nothing of them is kept.
    var erased = 0

    init(_ batch: CMCDBatch) {
        lines = batch.lines
        reports = batch.reports.count
        ignoredKeys = batch.ignoredKeys
        laterVersions = batch.laterVersions
        linesTooMany = batch.linesTooMany
    }
}
