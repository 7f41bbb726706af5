package import Archive
package import PlaybackEvents

/// A request's way from its bytes to the lines that the archive keeps: the same for the endpoint and for imports.
package enum Intake {
    /// Judges a body (decompressed) and writes the lines for the archive and the quarantine.
    ///
    /// - Throws: the fault of the request as a whole.
    /// - Complexity: O(n), one pass over the body.
    package static func judge(
        _ body: [UInt8], receipt: Receipt
    ) throws(RequestFault) -> (batch: PlayBatch, lines: LogLines) {
        var batch = try RequestDecoder.decode(body, receipt: receipt)
        // What is answered 400 is not taken, nor is the account that came with it.
        if batch.isAllRejected { batch.account = nil }
        var plays: [UInt8] = []
        plays.reserveCapacity(body.count + 256 * batch.plays.count)
        ArchiveLine.append(batch, to: &plays)
        var rejected: [UInt8] = []
        QuarantineLine.append(batch, body: body, to: &rejected)
        return (batch, LogLines(plays: plays, rejected: rejected, receivedAt: receipt.receivedAt))
    }
}
