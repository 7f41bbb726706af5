internal import Glibc

// The C library's search and comparison are many times as fast as a loop here; this is the one place that calls them.

extension RawSpan {
    /// Where a byte stands first.
    ///
    /// - Complexity: O(bytes before it).
    package func firstIndex(of byte: UInt8) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base, Int32(byte), bytes.count) else { return nil }
            return base.distance(to: found)
        }
    }

    /// Whether the bytes are those of another span.
    package func hasSameBytes(as other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                guard let one = one.baseAddress, let two = other.baseAddress else { return true }
                return memcmp(one, two, other.count) == 0
            }
        }
    }
}

extension [UInt8] {
    @inlinable
    package init(_ bytes: RawSpan) {
        self = bytes.withUnsafeBytes { Array($0) }
    }

    @inlinable
    package mutating func append(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { append(contentsOf: $0) }
    }
}
