/// Writes hexadecimal digits of identifiers where they stand in a request.
struct HexadecimalDigits: Sendable {
    /// Two digits for each byte, as they lie in memory.
    private let pairs: [UInt16]

    init() {
        let digits = Array("0123456789abcdef".utf8)
        pairs = (0..<256).map { UInt16(digits[$0 >> 4]) | UInt16(digits[$0 & 15]) << 8 }
    }

    /// Writes a UUID of version 4 (RFC 9562) over the one that stands there.
    func putUUID(_ high: UInt64, _ low: UInt64, at text: UnsafeMutableRawPointer) {
        let first = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let second = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        put(first >> 32, bytes: 4, at: text)
        put(first >> 16, bytes: 2, at: text + 9)
        put(first, bytes: 2, at: text + 14)
        put(second >> 48, bytes: 2, at: text + 19)
        put(second, bytes: 6, at: text + 24)
    }

    private func put(_ value: UInt64, bytes: Int, at text: UnsafeMutableRawPointer) {
        for place in 0..<bytes {
            let byte = Int(value >> UInt64(8 * (bytes - 1 - place)) & 0xFF)
            text.storeBytes(of: pairs[byte], toByteOffset: 2 * place, as: UInt16.self)
        }
    }
}
