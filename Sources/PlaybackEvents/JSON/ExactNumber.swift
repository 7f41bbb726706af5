/// A JSON number by its exact decimal value, as far as the contract asks: never a floating-point one.
struct ExactNumber {
    private(set) var isNegative = false
    /// It has no fraction.
    private(set) var isWhole = true
    /// Its magnitude is 10¹⁹ or more.
    private(set) var isHuge = false
    /// The magnitude without its fraction, when it is not huge.
    private(set) var magnitude: UInt64 = 0
    /// The first digit of the fraction.
    private(set) var tenths: UInt8 = 0
    /// The fraction is more than a half.
    private var isAboveHalf = false

    /// The value without its fraction, nil when the number lies outside Int64.
    var int64: Int64? {
        let limit: UInt64 = isNegative ? 1 << 63 : 1 << 63 - 1
        guard !isHuge, magnitude < limit || (magnitude == limit && isWhole) else { return nil }
        return isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
    }

    /// The nearest whole number, halves up; nil when it lies outside Int64.
    var rounded: Int64? {
        guard !isHuge else { return nil }
        let isUp = isNegative ? isAboveHalf : tenths >= 5
        // The magnitude has at most 19 digits.
        let nearest = magnitude + (isUp ? 1 : 0)
        return isNegative ? Int64(exactly: -Int128(nearest)) : Int64(exactly: nearest)
    }

    /// Whether a number that is not negative is at most an integer.
    func isAtMost(_ limit: UInt64) -> Bool {
        !isHuge && (magnitude < limit || (magnitude == limit && isWhole))
    }

    /// Reads a number's text, whose syntax is right.
    ///
    /// - Complexity: O(length), whatever the exponent says.
    init(token: Range<Int>, of bytes: RawSpan) {
        var position = token.lowerBound
        if bytes.byte(position) == UInt8(ascii: "-") {
            isNegative = true
            position += 1
        }
        let digitsStart = position
        // Digits are counted without the point.
        var digits = 0
        var wholeDigits: Int?
        var firstNonZero: Int?
        var lastNonZero = 0
        scan: while position < token.upperBound {
            switch bytes.byte(position) {
            case UInt8(ascii: "."): wholeDigits = digits
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if bytes.byte(position) != UInt8(ascii: "0") {
                    firstNonZero = firstNonZero ?? digits
                    lastNonZero = digits
                }
                digits += 1
            default: break scan
            }
            position += 1
        }
        guard let firstNonZero else { return }
        let point = (wholeDigits ?? digits) + Self.exponent(from: position, to: token.upperBound, of: bytes)
        isWhole = lastNonZero < point
        isHuge = point - firstNonZero > 19
        guard !isHuge, point >= 0 else { return }

        var digit = 0
        position = digitsStart
        while digit < min(point + 1, digits) {
            let value = bytes.byte(position) &- UInt8(ascii: "0")
            position += 1
            guard value <= 9 else { continue }
            if digit == point {
                tenths = value
                isAboveHalf = value > 5 || (value == 5 && lastNonZero > digit)
            } else {
                magnitude = magnitude * 10 + UInt64(value)
            }
            digit += 1
        }
        for _ in digit..<max(point, digit) { magnitude *= 10 }
    }

    /// The exponent that begins with `e` at a place, 0 without one; far beyond any count of digits it stays at ±10⁹.
    private static func exponent(from start: Int, to end: Int, of bytes: RawSpan) -> Int {
        var exponent = 0
        var isNegative = false
        for position in start..<end {
            let byte = bytes.byte(position)
            if byte == UInt8(ascii: "-") { isNegative = true }
            let digit = byte &- UInt8(ascii: "0")
            if digit <= 9 { exponent = min(exponent * 10 + Int(digit), 1_000_000_000) }
        }
        return isNegative ? -exponent : exponent
    }
}
