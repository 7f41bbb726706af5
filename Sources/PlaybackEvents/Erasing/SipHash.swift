/// SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012): a keyed hash that is quick with short texts. Who lacks the key
/// learns nothing of a text from its hash, and can't try texts out.
struct SipHash: Sendable {
    private let key: Identifier128

    init(key: Identifier128) {
        self.key = key
    }

    /// - Parameter first: stands before the bytes, so that equal bytes of two kinds have different hashes.
    /// - Complexity: O(bytes), without memory of its own.
    func callAsFunction(_ first: UInt8, _ bytes: some Sequence<UInt8>) -> Identifier128 {
        var state = State(key)
        state.add(first)
        for byte in bytes { state.add(byte) }
        return state.finish()
    }

    private struct State {
        private var v0, v1, v2, v3: UInt64
        private var word: UInt64 = 0
        private var count: UInt64 = 0

        init(_ key: Identifier128) {
            v0 = key.low ^ 0x736f_6d65_7073_6575
            v1 = key.high ^ 0x646f_7261_6e64_6f6d ^ 0xee
            v2 = key.low ^ 0x6c79_6765_6e65_7261
            v3 = key.high ^ 0x7465_6462_7974_6573
        }

        mutating func add(_ byte: UInt8) {
            word |= UInt64(byte) << (8 * (count & 7))
            count &+= 1
            if count & 7 == 0 { take() }
        }

        private mutating func take() {
            v3 ^= word
            mix(2)
            v0 ^= word
            word = 0
        }

        mutating func finish() -> Identifier128 {
            word |= count << 56
            take()
            v2 ^= 0xee
            mix(4)
            let low = v0 ^ v1 ^ v2 ^ v3
            v1 ^= 0xdd
            mix(4)
            return Identifier128(high: v0 ^ v1 ^ v2 ^ v3, low: low)
        }

        private mutating func mix(_ rounds: Int) {
            for _ in 0..<rounds {
                v0 &+= v1
                v2 &+= v3
                v1 = Self.rotated(v1, 13) ^ v0
                v3 = Self.rotated(v3, 16) ^ v2
                v0 = Self.rotated(v0, 32)
                v2 &+= v1
                v0 &+= v3
                v1 = Self.rotated(v1, 17) ^ v2
                v3 = Self.rotated(v3, 21) ^ v0
                v2 = Self.rotated(v2, 32)
            }
        }

        private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
    }
}
