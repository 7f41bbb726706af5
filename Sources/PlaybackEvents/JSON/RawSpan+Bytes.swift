extension RawSpan {
    /// Whether there is a byte at a place.
    ///
    /// As unsigned numbers, since that is one comparison, which the compiler then does not repeat in ``byte(_:)``.
    @inline(__always)
    func has(_ place: Int) -> Bool {
        UInt(bitPattern: place) < UInt(bitPattern: byteCount)
    }

    /// The byte at a place; the bounds are checked.
    @inline(__always)
    func byte(_ place: Int) -> UInt8 {
        precondition(has(place))
        return unsafeLoad(fromUncheckedByteOffset: place, as: UInt8.self)
    }

    /// The eight bytes from a place on, the first in the lowest bits; the bounds are checked.
    @inline(__always)
    func word(_ place: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}
