internal import Foundation

/// An axis: where a value lies between its ends, and which values are named on it.
struct Scale: Sendable {
    /// The largest value; the smallest is 0.
    let end: Double
    let ticks: [Double]

    /// From 0 to a round number at or above `largest`, with four or five named values.
    init(upTo largest: Double) {
        let largest = largest > 0 && largest.isFinite ? largest : 1
        let power = pow(10, floor(log10(largest / 4)))
        let step = [1, 2, 2.5, 5, 10].map { $0 * power }.first { $0 * 4.5 >= largest } ?? 10 * power
        let count = max(1, Int((largest / step).rounded(.up)))
        end = step * Double(count)
        ticks = (0...count).map { Double($0) * step }
    }

    /// From 0 to 100.
    func percent(_ value: Double) -> Double {
        min(1, max(0, value / end)) * 100
    }
}
