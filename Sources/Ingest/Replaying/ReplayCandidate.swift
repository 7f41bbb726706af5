internal import PlaybackEvents

/// A line of the quarantine judged again: what today's rules make of its event.
enum ReplayCandidate {
    /// The event is a play now: its line for the archive, ended by LF, as it would have been then.
    case accepted(EventName, line: [UInt8])
    /// It is rejected today as well.
    case rejected(Rejection.Code)
    /// It can't be judged as it was: it had a context that was too long to be kept.
    case incomplete

    init(_ line: QuarantineLine) {
        let context: [UInt8]
        switch line.context {
        case .absent: context = Array("null".utf8)
        case .kept(let bytes): context = bytes
        case .tooLong:
            self = .incomplete
            return
        }
        let body = Array("{\"context\":".utf8) + context + Array(",\"events\":[".utf8) + line.raw + Array("]}".utf8)
        let receipt = Receipt(
            receivedAt: line.receivedAt, requestId: line.requestId, regionHeader: line.regionHeader)
        // What is no single value any more was changed by somebody, and is no event.
        guard let index = Int32(exactly: line.index), index >= 0,
            var batch = try? RequestDecoder.decode(body, receipt: receipt),
            batch.plays.count + batch.rejections.count == 1
        else {
            self = .rejected(.wrongType)
            return
        }
        if let rejection = batch.rejections.first {
            self = .rejected(rejection.code)
            return
        }
        batch.account = nil
        batch.indices = [index]
        var archived: [UInt8] = []
        ArchiveLine.append(batch, to: &archived, everyIndex: true)
        self = .accepted(EventName(requestId: line.requestId, index: index), line: archived)
    }
}
