internal import Platform

/// UUIDs of version 4 (RFC 9562), written where they stand in a request.
enum RandomUUID {
    /// Writes one over the one that stands there: 36 bytes, whose dashes are left as they are.
    ///
    /// - Parameters:
    ///   - high: random bits, of which the version takes four.
    ///   - low: random bits, of which the variant takes two.
    static func put(_ high: UInt64, _ low: UInt64, at text: UnsafeMutableRawPointer) {
        let high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let second = Hexadecimal.digits(ofLow: high)
        let third = Hexadecimal.digits(ofLow: low >> 32)
        text.storeBytes(of: Hexadecimal.digits(ofLow: high >> 32), as: UInt64.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: second), toByteOffset: 9, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: second >> 32), toByteOffset: 14, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: third), toByteOffset: 19, as: UInt32.self)
        text.storeBytes(of: UInt32(truncatingIfNeeded: third >> 32), toByteOffset: 24, as: UInt32.self)
        text.storeBytes(of: Hexadecimal.digits(ofLow: low), toByteOffset: 28, as: UInt64.self)
    }
}
