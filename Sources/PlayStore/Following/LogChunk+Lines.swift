package import Archive
internal import Glibc
internal import PlaybackEvents

extension LogChunk {
    /// Lends each line without its LF, with its number from 0.
    package func forEachLine(_ body: (Int, UnsafeRawBufferPointer) -> Void) {
        lines.withUnsafeBytes { lines in
            var start = 0
            var number = 0
            while start < lines.count, let base = lines.baseAddress {
                let feed = memchr(base + start, 0x0A, lines.count - start)
                let end = feed.map { UnsafeRawPointer($0) - base } ?? lines.count
                body(number, UnsafeRawBufferPointer(rebasing: lines[start..<end]))
                start = end + 1
                number += 1
            }
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
