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
    ) throws(RequestError) -> (batch: PlayBatch, lines: LogLines) {
        let batch = try RequestDecoder.decode(body, receipt: receipt)
        return (batch, lines(of: batch, body))
    }

    /// Writes the lines of a batch that has been judged.
    ///
    /// - Parameters:
    ///   - body: what it was judged from.
    ///   - isRefused: whether it is answered 400, where plays were taken out of it since it was judged.
    static func lines(of batch: borrowing PlayBatch, _ body: [UInt8], isRefused: Bool? = nil) -> LogLines {
        var plays: [UInt8] = []
        let usual = 256 + min(contextBytes(batch), Self.longestDefaults)
        plays.reserveCapacity(body.count + usual * batch.plays.count)
        // What is answered 400 is not taken, nor is the account that came with it.
        if !(isRefused ?? batch.isAllRejected) { ArchiveLine.append(batch, to: &plays) }
        var rejected: [UInt8] = []
        if !batch.rejections.isEmpty { rejected.reserveCapacity(mostRejectedBytes(batch) + Self.writingRoom) }
        QuarantineLine.append(batch, body: body, to: &rejected)
        return LogLines(plays: plays, rejected: rejected, receivedAt: batch.receipt.receivedAt)
    }

    /// More than ``lines(of:_:)`` takes, in bytes: a small body may come to a hundred times its length, since each of its
    /// events gets what the context says.
    ///
    /// - Complexity: O(rejections).
    static func mostLineBytes(of batch: borrowing PlayBatch, bodyBytes: Int) -> Int {
        let defaults = escaped(min(contextBytes(batch), Self.longestDefaults))
        let plays = batch.plays.isEmpty ? 0 : escaped(bodyBytes) + batch.plays.count * (Self.fixedBytes + defaults)
        return Self.fixedBytes + plays + mostRejectedBytes(batch)
    }

    /// More than names, numbers and identifiers of a line.
    private static let fixedBytes = 1_024
    /// More than all texts and tags that a context can give a play.
    private static let longestDefaults = 2_048
    /// What the writer of one line asks for beyond the line.
    private static let writingRoom = 128 << 10

    private static func mostRejectedBytes(_ batch: borrowing PlayBatch) -> Int {
        let context = contextBytes(batch)
        let shared = (context <= QuarantineLine.longestContext ? context : 0) + (batch.receipt.headerRegion?.count ?? 0)
        return batch.rejections.reduce(0) { $0 + fixedBytes + escaped($1.bytes.count + shared) }
    }

    private static func contextBytes(_ batch: borrowing PlayBatch) -> Int { batch.context?.count ?? 0 }

    /// The longest that a stretch of JSON gets as a JSON string: one more byte for each. What would need more, a control or a
    /// byte that is no UTF-8, can't stand in JSON.
    private static func escaped(_ bytes: Int) -> Int { 2 * bytes }
}
