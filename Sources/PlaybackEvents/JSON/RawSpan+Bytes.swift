extension RawSpan {
    /// The byte at a place; the bounds are checked.
    @inline(__always)
    func byte(_ place: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: place, as: UInt8.self)
    }

    /// The eight bytes from a place on, the first in the lowest bits; the bounds are checked.
    @inline(__always)
    func word(_ place: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}
