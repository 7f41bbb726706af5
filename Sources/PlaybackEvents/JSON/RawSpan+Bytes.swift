extension RawSpan {
    /// Whether there is a byte at a place.
    ///
    /// As unsigned numbers, since that is one comparison, which the compiler then does not repeat in ``byte(_:)``.
    @inline(__always)
    func has(_ position: Int) -> Bool {
        UInt(bitPattern: position) < UInt(bitPattern: byteCount)
    }

    /// The byte at a place; the bounds are checked.
    @inline(__always)
    func byte(_ position: Int) -> UInt8 {
        precondition(has(position))
        return unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
    }

    /// The eight bytes from a place on, the first in the lowest bits; the bounds are checked.
    @inline(__always)
    func word(_ position: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
}
