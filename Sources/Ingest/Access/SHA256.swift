/// SHA-256 of short texts (FIPS 180-4), so that keys are held and compared as digests alone.
///
/// Neither the toolchain nor the two system libraries bring one on Linux.
package enum SHA256 {
    package typealias Digest = [UInt8]

    /// - Complexity: O(n).
    package static func digest(_ message: some Collection<UInt8>) -> Digest {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        var padded = Array(message)
        padded.append(0x80)
        padded += repeatElement(0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(message.count) &* 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        for start in stride(from: 0, to: padded.count, by: 64) {
            mix(padded[start..<start + 64], into: &state)
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var w = [UInt32](repeating: 0, count: 64)
        for (place, byte) in block.enumerated() { w[place / 4] = w[place / 4] << 8 | UInt32(byte) }
        for i in 16..<64 {
            let s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3
            let s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10
            w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
        }
        var v = state
        for i in 0..<64 {
            let s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
            let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
            let t1 = v[7] &+ s1 &+ choice &+ constants[i] &+ w[i]
            let s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
            v = [t1 &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
        }
        for i in 0..<8 { state[i] = state[i] &+ v[i] }
    }

    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word >> bits | word << (32 - bits)
    }

    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = {
        let primes = (2...311).filter { n in (2..<n).allSatisfy { n % $0 != 0 } }
        return primes.map { prime in
            // ⌊2³² · ∛p⌋ mod 2³²: the largest x with x³ ≤ p · 2⁹⁶, by bisection on exact integers.
            var low: UInt64 = 0
            var high: UInt64 = 7 << 32
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if isCubeAtMost(middle, prime: UInt64(prime)) { low = middle } else { high = middle }
            }
            return UInt32(truncatingIfNeeded: low)
        }
    }()

    /// Whether x³ ≤ prime · 2⁹⁶, for x < 2³⁵.
    private static func isCubeAtMost(_ x: UInt64, prime: UInt64) -> Bool {
        let square = x.multipliedFullWidth(by: x)
        let low = square.low.multipliedFullWidth(by: x)
        // x³ = (square.high · x · 2⁶⁴) + low; what counts are the bits from 2⁶⁴ up, and prime · 2³² there.
        let (upper, overflow) = (square.high &* x).addingReportingOverflow(low.high)
        let limit = prime << 32
        return !overflow && (upper < limit || (upper == limit && low.low == 0))
    }
}
