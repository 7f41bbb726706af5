internal import CZlib

/// Makes gzip members, one after another, with one zlib state and one buffer for all of them.
///
/// A member is made from pieces, so that what is compressed need not lie in one place: ``begin(expecting:)``,
/// ``append(_:)`` for each piece, ``finish()``. The bytes depend on the input and the level alone.
package final class GzipCompressor {
    private let stream: UnsafeMutablePointer<z_stream>
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var count = 0

    /// - Parameters:
    ///   - level: zlib's, 1 (fast) to 9 (small); another is taken as the nearest.
    ///   - isFiltered: whether short repetitions are left to the code. In random digits, of which there are many in lines of
    ///     plays, they are met everywhere and cost more than they save: a tenth of the whole.
    package init(level: Int32, isFiltered: Bool = false) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 + 16: the largest window, in gzip's frame; 8 is zlib's usual memory.
        let code = czlib_deflate_init(stream, min(max(level, 1), 9), 15 + 16, 8)
        precondition(code == Z_OK, "zlib: no memory for compressing")
        if isFiltered { deflateParams(stream, min(max(level, 1), 9), Z_FILTERED) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// Begins a member and forgets the one before.
    ///
    /// - Parameter bytes: how much will come, so that the buffer need not grow; a wrong guess costs time alone.
    package func begin(expecting bytes: Int = 0) {
        deflateReset(stream)
        count = 0
        let bound = Int(clamping: deflateBound(stream, UInt(clamping: max(0, bytes))))
        if bound > buffer.count { grow(to: bound) }
    }

    /// Adds a piece to the member.
    package func append(_ bytes: RawSpan) {
        var rest = bytes
        while !rest.isEmpty {
            // zlib counts in 32 bits.
            let piece = rest.extracting(first: 1 << 30)
            piece.withUnsafeBytes { deflateAll($0, flush: Z_NO_FLUSH) }
            rest = rest.extracting(droppingFirst: piece.byteCount)
        }
    }

    /// Ends the member.
    ///
    /// - Returns: its bytes, lent until the next ``begin(expecting:)``.
    package func finish() -> UnsafeRawBufferPointer {
        deflateAll(UnsafeRawBufferPointer(start: nil, count: 0), flush: Z_FINISH)
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// One complete member that holds `bytes`.
    package func member(_ bytes: [UInt8]) -> [UInt8] {
        begin(expecting: bytes.count)
        append(bytes.span.bytes)
        return [UInt8](finish())
    }

    private func deflateAll(_ input: UnsafeRawBufferPointer, flush: Int32) {
        stream.pointee.next_in = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(input.count)
        while true {
            if count == buffer.count { grow(to: 2 * buffer.count) }
            let room = min(buffer.count - count, 1 << 30)
            stream.pointee.next_out = buffer.baseAddress?.advanced(by: count).assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(room)
            let code = deflate(stream, flush)
            count += room - Int(stream.pointee.avail_out)
            // Z_BUF_ERROR says that nothing was left to do, or no room was left to do it in.
            precondition(code != Z_STREAM_ERROR, "zlib: the stream was overwritten")
            if flush == Z_FINISH ? code == Z_STREAM_END : stream.pointee.avail_out > 0 { return }
        }
    }

    private func grow(to bytes: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        buffer.deallocate()
        buffer = larger
    }
}
