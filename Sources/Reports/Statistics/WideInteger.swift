/// A whole number that is not negative and as large as it has to be: products of sums of squares pass 128 bits.
///
/// What would be negative is 0. Sums of one moment never make such a number; those of two moments may, where a store has no
/// snapshot and plays arrive between two of its answers.
struct WideInteger: Comparable {
    /// Lowest first, without zeros at the end.
    private var limbs: [UInt32]

    init(_ value: some BinaryInteger) {
        var rest = UInt128(clamping: value)
        limbs = []
        while rest > 0 {
            limbs.append(UInt32(truncatingIfNeeded: rest))
            rest >>= 32
        }
    }

    private init(limbs: [UInt32]) {
        self.limbs = limbs
        while self.limbs.last == 0 { self.limbs.removeLast() }
    }

    var isZero: Bool { limbs.isEmpty }

    static func + (one: WideInteger, other: WideInteger) -> WideInteger {
        var sum: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(one.limbs.count, other.limbs.count) {
            carry += UInt64(one.limb(index)) + UInt64(other.limb(index))
            sum.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        return WideInteger(limbs: sum + [UInt32(carry)])
    }

    static func - (one: WideInteger, other: WideInteger) -> WideInteger {
        guard one > other else { return WideInteger(limbs: []) }
        var difference: [UInt32] = []
        var borrow: Int64 = 0
        for index in one.limbs.indices {
            borrow += Int64(one.limbs[index]) - Int64(other.limb(index))
            difference.append(UInt32(truncatingIfNeeded: borrow))
            borrow >>= 32
        }
        return WideInteger(limbs: difference)
    }

    static func * (one: WideInteger, other: WideInteger) -> WideInteger {
        var product = [UInt32](repeating: 0, count: one.limbs.count + other.limbs.count)
        for (position, limb) in one.limbs.enumerated() {
            var carry: UInt64 = 0
            for (index, factor) in other.limbs.enumerated() {
                carry += UInt64(limb) * UInt64(factor) + UInt64(product[position + index])
                product[position + index] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            product[position + other.limbs.count] = UInt32(carry)
        }
        return WideInteger(limbs: product)
    }

    static func < (one: WideInteger, other: WideInteger) -> Bool {
        if one.limbs.count != other.limbs.count { return one.limbs.count < other.limbs.count }
        for (limb, against) in zip(one.limbs, other.limbs).reversed() where limb != against { return limb < against }
        return false
    }

    /// The nearest number in floating point, to the last place but one.
    var double: Double { limbs.reversed().reduce(0) { $0 * 0x1p32 + Double($1) } }

    private func limb(_ index: Int) -> UInt32 { index < limbs.count ? limbs[index] : 0 }
}
