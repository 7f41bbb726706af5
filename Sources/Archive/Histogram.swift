/// Counts of values up to given bounds, with their sum, as Prometheus wants them.
package struct Histogram: Sendable, Equatable {
    /// The upper bound of each bucket, inclusive, rising.
    package let bounds: [Double]
    /// How many values fell into each bucket (not added up), and after the last bound those above it.
    package private(set) var counts: [UInt64]
    package private(set) var sum: Double = 0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }

    package var count: UInt64 { counts.reduce(0, +) }

    package mutating func record(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}
