/// The bitrate of a play, weighted by the time that each value played.
struct BitrateAverage: Sendable, Hashable {
    /// The value that now plays in bit/s, when it is known.
    private(set) var current: Double?
    private var weighted = 0.0
    private var milliseconds: Int64 = 0

    /// Takes a value from now on: finite, above 0 and at most 10⁹; any other is not known.
    mutating func set(_ value: Double?) {
        current = value.flatMap { $0 > 0 && $0 <= 1_000_000_000 ? $0 : nil }
    }

    /// The current value has played for some more milliseconds.
    mutating func play(milliseconds more: Int64) {
        guard let current else { return }
        weighted += current * Double(more)
        milliseconds += more
    }

    /// The average in bit/s; `nil` when no value that was known has played.
    var average: Double? {
        milliseconds > 0 ? weighted / Double(milliseconds) : nil
    }
}
