/// Numbers that look random and are the same for the same seed (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", 2014).
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// True in so many of a thousand cases.
    mutating func isOneOf(_ perMille: Int) -> Bool {
        Int.random(in: 0..<1_000, using: &self) < perMille
    }

    /// A value that scatters around a middle one, twice and half being about as likely.
    mutating func scattered(around middle: Double) -> Int {
        let unit = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &self) }
        var factor = 1 + abs(unit) * 0.6
        if unit < 0 { factor = 1 / factor }
        return Int(middle * factor)
    }
}
