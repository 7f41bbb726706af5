/// When people watch: little at night, some at noon, most in the evening.
enum Daytime {
    /// How many watch in each hour of their own day, 0 to 23.
    static let weights: [Double] = [
        1.4, 0.7, 0.4, 0.25, 0.2, 0.3, 0.8, 1.6, 2.0, 1.9, 2.0, 2.3,
        3.0, 2.8, 2.4, 2.5, 2.9, 3.6, 4.6, 5.8, 6.6, 6.4, 5.0, 2.9,
    ]

    static let dayLength: Int64 = 86_400_000

    /// A time of one of the days, in ms after the first midnight UTC.
    ///
    /// - Parameter hoursAhead: of UTC, where the viewer lives.
    static func draw(days: Int, hoursAhead: Int, _ chance: inout Chance) -> Int64 {
        let hour = chance.pick(weights.enumerated().map { ($0.element, $0.offset) })
        let inUTC = (hour - hoursAhead + 24) % 24
        let day = chance.whole(in: 0...(days - 1))
        return Int64(day) * dayLength + Int64(inUTC) * 3_600_000 + Int64(chance.unit() * 3_600_000)
    }
}
