internal import CZlib

/// zlib's state for inflating gzip: the only owner of its stream, released when the object goes.
///
/// One member at a time: call ``begin()``, then ``step(_:into:)`` until it says that the member has ended. The object is
/// made once and used for any number of members.
package final class InflateStream {
    /// What one call took and gave.
    package struct Step: Sendable, Equatable {
        /// Bytes taken from the input.
        package var consumed: Int
        /// Bytes written to the output.
        package var produced: Int
        /// The member is complete: its length and CRC-32 are right.
        package var ended: Bool
    }

    /// zlib keeps the address of its stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    package init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 + 16: the largest window, and gzip's frame alone (a raw zlib stream is refused).
        let code = czlib_inflate_init(stream, 15 + 16)
        precondition(code == Z_OK, "zlib: no memory for inflating")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Forgets what is under way and expects the first byte of a member.
    package func begin() {
        inflateReset(stream)
    }

    /// Inflates as much of a range of `input` as fits into `output`; never past the end of the member.
    ///
    /// Without progress (nothing consumed, nothing produced, not ended) it needs more input or more room.
    /// - Throws: ``GzipError/invalid(_:)`` or ``GzipError/outOfMemory``; the stream is of no use then until ``begin()``.
    package func step(
        _ input: [UInt8], _ range: Range<Int>, into output: inout [UInt8]
    ) throws(GzipError) -> Step {
        var room = output.mutableSpan
        return try room.withUnsafeMutableBytes { output throws(GzipError) in
            try input.span.bytes.extracting(range).withUnsafeBytes { input throws(GzipError) in
                try step(input, into: output)
            }
        }
    }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(GzipError) -> Step {
        let offered = Int(UInt32(clamping: input.count))
        let room = Int(UInt32(clamping: output.count))
        // zlib only reads through next_in, though its type says otherwise; it wants no nil address beside a count of 0.
        var nothing: UInt8 = 0
        let code = withUnsafeMutableBytes(of: &nothing) { spare in
            let source = UnsafeMutableRawPointer(mutating: input.baseAddress) ?? spare.baseAddress
            let target = output.baseAddress ?? spare.baseAddress
            stream.pointee.next_in = source?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(offered)
            stream.pointee.next_out = target?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(room)
            return inflate(stream, Z_NO_FLUSH)
        }
        let step = Step(
            consumed: offered - Int(stream.pointee.avail_in),
            produced: room - Int(stream.pointee.avail_out),
            ended: code == Z_STREAM_END)
        switch code {
        case Z_OK, Z_STREAM_END, Z_BUF_ERROR:
            return step
        case Z_NEED_DICT:
            throw .invalid("a preset dictionary is not gzip")
        case Z_MEM_ERROR:
            throw .outOfMemory
        default:
            throw .invalid(stream.pointee.msg.map { String(cString: $0) } ?? "not gzip")
        }
    }
}
