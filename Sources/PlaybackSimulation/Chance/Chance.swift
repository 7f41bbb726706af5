internal import Glibc

/// A seeded source of chance, and the distributions that the simulation draws from.
///
/// SplitMix64 (Steele, Lea, Flood 2014). The distributions are written out here, so that a seed gives the same plays with
/// every version of the standard library.
package struct Chance: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
        // Neighbouring seeds begin far apart.
        state = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A source of its own: how much is drawn from one does not change what the other gives.
    package mutating func branch() -> Chance {
        Chance(seed: next())
    }

    /// From 0 up to, but not including, 1.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    package mutating func happens(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// A whole number of the range, each as likely.
    package mutating func whole(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(unit() * Double(range.upperBound - range.lowerBound + 1))
    }

    package mutating func uniform(_ low: Double, _ high: Double) -> Double {
        low + unit() * (high - low)
    }

    /// Exponential: waiting times.
    package mutating func exponential(mean: Double) -> Double {
        -log(1 - unit()) * mean
    }

    /// Standard normal, by Box and Muller.
    package mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * .pi * unit())
    }

    /// Log-normal, as latencies and throughputs are: half below `median`, and `sigma` the deviation of the logarithm.
    package mutating func logNormal(median: Double, sigma: Double) -> Double {
        median * exp(sigma * normal())
    }

    /// One of the choices, each as likely as its weight says.
    ///
    /// - Precondition: there is a choice.
    package mutating func pick<Value>(_ choices: [(weight: Double, value: Value)]) -> Value {
        var rest = unit() * choices.reduce(0) { $0 + $1.weight }
        for choice in choices {
            rest -= choice.weight
            if rest < 0 { return choice.value }
        }
        return choices[choices.count - 1].value
    }
}
