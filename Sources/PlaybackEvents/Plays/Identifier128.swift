/// 128 bits: a play's UUID, or a request's random name.
package struct Identifier128: Sendable, Hashable, Comparable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    static let allZeros = Identifier128(high: 0, low: 0)
    static let allOnes = Identifier128(high: .max, low: .max)

    package static func < (one: Identifier128, other: Identifier128) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }
}
