internal import CZlib

/// Makes gzip members of text whose lines resemble each other, several times as fast as zlib and smaller.
///
/// zlib looks for repetitions everywhere; here they are looked for where such lines have them (``LineMatcher``). Any bytes
/// may be given: what is no such text only becomes larger than zlib would make it. The bytes that come out depend on those
/// that go in alone.
///
/// A member is made from pieces: ``begin(expecting:)``, ``append(_:)`` for each, ``finish()``.
package final class LineCompressor {
    /// What lies behind the input, so that words may be read past its end.
    private static let slack = 16
    private static let head: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]

    private var input = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var count = 0
    private var output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private let memory = CompressionMemory()

    package init() {}

    deinit {
        input.deallocate()
        output.deallocate()
    }

    /// Begins a member and forgets the one before.
    ///
    /// - Parameter bytes: how much will come, so that the buffer need not grow; a wrong guess costs time alone.
    package func begin(expecting bytes: Int = 0) {
        count = 0
        reserve(max(0, bytes))
    }

    /// Adds a piece to the member.
    package func append(_ bytes: RawSpan) {
        reserve(bytes.byteCount)
        bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: input[count...]).copyMemory(from: $0) }
        count += bytes.byteCount
    }

    private func reserve(_ bytes: Int) {
        let needed = count + bytes + Self.slack
        guard needed > input.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(needed, 2 * input.count), alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
        input.deallocate()
        input = larger
    }

    /// Ends the member.
    ///
    /// - Returns: its bytes, lent until the next call.
    /// - Complexity: O(bytes).
    package func finish() -> UnsafeRawBufferPointer {
        // No block is larger than with deflate's fixed code: 9 bits for each byte.
        let most = count + count / 8 + 1_024
        if most > output.count {
            output.deallocate()
            output = .allocate(byteCount: max(most, 2 * output.count), alignment: 16)
        }
        let text = UnsafeRawBufferPointer(rebasing: input[..<count])
        // What is read past the end is always the same.
        UnsafeMutableRawBufferPointer(rebasing: input[count..<count + Self.slack])
            .initializeMemory(as: UInt8.self, repeating: 0)
        output.copyBytes(from: Self.head)
        var writer = BitWriter(output, at: Self.head.count)
        var matcher = LineMatcher(text, in: memory)
        repeat {
            let block = matcher.next()
            block.write(from: text, isLast: matcher.isAtEnd, to: &writer)
        } while !matcher.isAtEnd
        writer.alignToByte()
        writer.put(checksum(of: text), bits: 32)
        writer.put(UInt64(truncatingIfNeeded: count) & 0xFFFF_FFFF, bits: 32)
        return UnsafeRawBufferPointer(rebasing: output[..<writer.end()])
    }

    /// One complete member that holds `bytes`.
    package func member(_ bytes: [UInt8]) -> [UInt8] {
        begin(expecting: bytes.count)
        append(bytes.span.bytes)
        return [UInt8](finish())
    }

    private func checksum(of text: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(crc32_z(0, text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count))
    }
}
