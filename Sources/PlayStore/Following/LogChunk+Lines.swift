package import Archive
internal import Platform
internal import PlaybackEvents

extension LogChunk {
    /// Lends each line without its LF, with its number from 0.
    package func forEachLine(_ body: (Int, RawSpan) -> Void) {
        let lines = lines
        let bytes = lines.span.bytes
        var start = 0
        var number = 0
        while start < bytes.byteCount {
            let rest = bytes.extracting(start...)
            let length = rest.firstIndex(of: 0x0A) ?? rest.byteCount
            body(number, rest.extracting(..<length))
            start += length + 1
            number += 1
        }
    }
}

extension RejectionTally {
    /// Counts the lines of a chunk of the quarantine's log.
    ///
    /// What a store set aside was not rejected, and a line that is none of ours counts for nothing.
    package mutating func add(quarantine chunk: LogChunk) {
        chunk.forEachLine { _, line in
            guard let rejected = try? QuarantineLine.parse(line), Rejection.Code(rawValue: rejected.code) != nil
            else { return }
            add(code: rejected.code, receivedAt: rejected.receivedAt)
        }
    }
}
