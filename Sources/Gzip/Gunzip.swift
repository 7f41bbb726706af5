/// Inflates a whole gzip file that lies in memory.
package enum Gunzip {
    /// Output is gathered in steps of this many bytes (zlib's own window, so it stays in the cache).
    private static let stepBytes = 32 << 10

    /// Inflates all members.
    ///
    /// - Parameter limit: the most bytes that may come out. Memory stays below twice that, whatever is sent.
    /// - Throws: ``GzipError/truncated`` when the last member is not whole (or there is none),
    ///   ``GzipError/tooLarge(limit:)`` as soon as more than `limit` has come out, ``GzipError/invalid(_:)`` for what is
    ///   not gzip, bytes after the last member included.
    package static func inflate(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
        var output: [UInt8] = []
        // An array's own withUnsafeBytes forgets which error is thrown.
        try bytes.span.bytes.withUnsafeBytes { input throws(GzipError) in
            try inflate(input, limit: limit, into: &output)
        }
        return output
    }

    private static func inflate(
        _ bytes: UnsafeRawBufferPointer, limit: Int, into output: inout [UInt8]
    ) throws(GzipError) {
        let stream = InflateStream()
        let step = UnsafeMutableRawBufferPointer.allocate(byteCount: stepBytes, alignment: 16)
        defer { step.deallocate() }
        output.reserveCapacity(firstCapacity(bytes, limit: limit))
        var rest = bytes
        repeat {
            if let first = rest.first, first != 0x1f {
                throw .invalid(rest.count == bytes.count ? "not gzip" : "bytes after the last member")
            }
            stream.begin()
            var ended = false
            while !ended {
                let done = try stream.step(rest, into: step)
                rest = UnsafeRawBufferPointer(rebasing: rest[done.consumed...])
                ended = done.ended
                if done.produced > limit - output.count { throw .tooLarge(limit: limit) }
                append(step[..<done.produced], to: &output, limit: limit)
                if !ended && done.produced == 0 && rest.isEmpty { throw .truncated }
            }
        } while !rest.isEmpty
    }

    /// Grows by doubling, but never beyond the limit: what is held while the bytes move stays below twice the limit.
    private static func append(_ bytes: Slice<UnsafeMutableRawBufferPointer>, to output: inout [UInt8], limit: Int) {
        let needed = output.count + bytes.count
        if needed > output.capacity { output.reserveCapacity(min(limit, max(needed, 2 * output.capacity))) }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes))
    }

    /// The length that the last member's trailer claims, where that is believable: deflate makes at most 1,032 bytes of one.
    private static func firstCapacity(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Int {
        guard bytes.count >= 18 else { return 0 }
        let claimed = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)))
        return min(claimed, limit, bytes.count.multipliedReportingOverflow(by: 64).partialValue)
    }
}
