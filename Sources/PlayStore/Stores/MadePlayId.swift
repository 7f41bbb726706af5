package import PlaybackEvents

/// The identifier of a play that came without one.
package enum MadePlayId {
    /// Makes it from what names the event for ever, so that the same line gives the same identifier in every rebuild.
    ///
    /// It has the form of a UUID of version 8 (RFC 9562: bits of one's own making), which no maker of random or time-ordered
    /// identifiers gives out; its other 122 bits follow from the 128 random bits of the request. The formula never changes.
    package static func make(requestId: Identifier128, index: Int32) -> Identifier128 {
        let position = UInt64(UInt32(bitPattern: index)) &* 0x9E37_79B9_7F4A_7C15
        let high = mixed(requestId.high ^ mixed(requestId.low &+ position))
        let low = mixed(requestId.low ^ mixed(high &+ position))
        return Identifier128(
            high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection in which each bit depends on all.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
