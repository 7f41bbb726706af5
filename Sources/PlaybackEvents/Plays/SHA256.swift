/// SHA-256 of short texts (FIPS 180-4), so that keys are held and compared as digests alone.
///
/// Neither the toolchain nor the two system libraries bring one on Linux.
package struct SHA256: ~Copyable {
    /// Eight words, the first the most significant.
    package struct Digest: Sendable {
        fileprivate var words: InlineArray<8, UInt32>

        package var bytes: [UInt8] {
            words.indices.flatMap { position in
                (0..<4).map { UInt8(truncatingIfNeeded: words[position] >> (24 - 8 * UInt32($0))) }
            }
        }

        /// Takes the same time wherever the two differ.
        package func equals(_ other: Digest) -> Bool {
            var difference: UInt32 = 0
            for position in words.indices { difference |= words[position] ^ other.words[position] }
            return difference == 0
        }
    }

    private var state = Digest(words: [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ])
    private var block = InlineArray<16, UInt32>(repeating: 0)
    private var length: UInt64 = 0

    private init() {}

    /// - Complexity: O(n), without memory of its own.
    package static func digest(_ message: some Sequence<UInt8>) -> Digest {
        var hash = SHA256()
        for byte in message { hash.add(byte) }
        let bits = hash.length &* 8
        hash.add(0x80)
        while hash.length % 64 != 56 { hash.add(0) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) { hash.add(UInt8(truncatingIfNeeded: bits >> shift)) }
        return hash.state
    }

    private mutating func add(_ byte: UInt8) {
        let position = Int(length / 4 % 16)
        block[position] = block[position] << 8 | UInt32(byte)
        length &+= 1
        if length % 64 == 0 { mix() }
    }

    private mutating func mix() {
        let words = state.words
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        for i in 0..<64 {
            if i >= 16 { block[i % 16] = scheduled(i) }
            let s1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
            let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ Self.constants[i] &+ block[i % 16]
            let s0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
            let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
        }
        state.words = [
            words[0] &+ a, words[1] &+ b, words[2] &+ c, words[3] &+ d, words[4] &+ e, words[5] &+ f, words[6] &+ g,
            words[7] &+ h,
        ]
    }

    /// The word of the schedule that takes the place of the one sixteen before it.
    private func scheduled(_ i: Int) -> UInt32 {
        let (early, late) = (block[(i + 1) % 16], block[(i + 14) % 16])
        let s0 = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ early >> 3
        let s1 = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ late >> 10
        return block[i % 16] &+ s0 &+ block[(i + 9) % 16] &+ s1
    }

    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word >> bits | word << (32 - bits)
    }

    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
