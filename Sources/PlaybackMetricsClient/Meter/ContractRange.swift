/// The ranges of figures that an endpoint accepts. The meter cuts what it measures to them, so that a play of more than a
/// day still counts; what a player tells of itself beyond them is not known.
package enum ContractRange {
    package static let startupMs = 0...3_600_000
    package static let watchedMs = 0...86_400_000
    package static let stalls = 0...100_000
    package static let attempt = 1...100
    package static let bitrate = 0...1_000_000_000.0
    package static let bytes = 0...(Int64(1) << 40)
    package static let memoryBytes = 0...(Int64(1) << 53)
    package static let age = 0...(Int64(1) << 53)
}

extension ClosedRange where Bound: FixedWidthInteger {
    /// The nearest number of the range.
    func clamp(_ value: Int64) -> Bound {
        Swift.min(Swift.max(Bound(clamping: value), lowerBound), upperBound)
    }
}
