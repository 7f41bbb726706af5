/// The UTC hour that holds a moment.
package struct PlayHour: Equatable {
    package static let length: Int64 = 3_600_000
    /// Hours of the years 1–9999, and some more: far from where times in ms overflow.
    static let possible: Range<Int64> = -1 << 25..<1 << 27

    /// The UTC day since 1970 that holds an hour.
    package static func day(ofHour hour: Int64) -> Int64 { hour >= 0 ? hour / 24 : (hour - 23) / 24 }

    /// Hours since 1970; negative before.
    package var number: Int64
    /// Ms since the hour's beginning, 0–3,599,999.
    package var offset: Int64

    /// - Parameter moment: ms since 1970, any value.
    package init(of moment: Int64) {
        let (quotient, remainder) = moment.quotientAndRemainder(dividingBy: Self.length)
        number = remainder < 0 ? quotient - 1 : quotient
        offset = remainder < 0 ? remainder + Self.length : remainder
    }
}
