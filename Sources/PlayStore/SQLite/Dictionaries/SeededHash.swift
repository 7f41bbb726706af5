internal import PlaybackEvents

/// A hash with a secret: whoever chooses the texts can't choose which of them collide.
struct SeededHash {
    private let seed: UInt64
    private static let multiplier: UInt64 = 0x9FB2_1C65_1E98_DF25

    init() {
        seed = UInt64.random(in: .min ... .max)
    }

    /// Without a secret: the same in every process.
    init(seed: UInt64) {
        self.seed = seed
    }

    func callAsFunction(_ bytes: RawSpan) -> UInt64 {
        let count = bytes.byteCount
        var state = seed ^ UInt64(truncatingIfNeeded: count)
        var position = 0
        while position &+ 8 <= count {
            state = Self.folded(state ^ bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
            position &+= 8
        }
        var rest: UInt64 = 0
        while position < count {
            rest = rest << 8 | UInt64(bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self))
            position &+= 1
        }
        return Self.folded(Self.folded(state ^ rest) ^ seed)
    }

    func callAsFunction(_ id: Identifier128) -> UInt64 {
        Self.folded(Self.folded(seed ^ id.high) ^ id.low)
    }

    @inline(__always)
    private static func folded(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }
}
