internal import Foundation

/// Numbers as people read them, with their unit, and with their interval where it is known.
enum HumanNumber {
    /// What stands where there is nothing to base a number on.
    static let none = "–"

    /// A number's text, and its interval to stand after it.
    struct Text: Sendable, Hashable {
        var value: String
        /// ` ±0.12` or ` (0.11–1.5)` in the unit of the value; empty when the interval is not known.
        var spread = ""
        /// What the text was made of, so that a column can say all of it in one unit; nil for text and counts.
        fileprivate var quantity: Quantity?

        init(value: String, spread: String = "") {
            self.value = value
            self.spread = spread
        }

        fileprivate init(_ quantity: Quantity, in format: Format) {
            self.quantity = quantity
            guard let value = quantity.value else {
                self.value = HumanNumber.none
                return
            }
            self.value = format.digits(value) + format.unit
            spread = HumanNumber.spread(value / format.factor, quantity.interval.scaled(by: 1 / format.factor))
        }
    }

    /// `850 ms`, `1.24 s ±0.12`.
    static func milliseconds(_ ms: Int64?, _ interval: Interval<Int64> = .unknown) -> Text {
        text(
            .milliseconds, ms.map(Double.init),
            Interval(low: interval.low.map(Double.init), high: interval.high.map(Double.init)))
    }

    static func milliseconds(_ figure: Figure<Int64>) -> Text { milliseconds(figure.value, figure.interval) }

    /// `0.43 % ±0.12`.
    static func percent(_ ratio: Double?, _ interval: Interval<Double> = .unknown) -> Text {
        text(.percent, ratio, interval)
    }

    static func percent(_ figure: Figure<Double>) -> Text { percent(figure.value, figure.interval) }

    /// `28.3 ±5.1`.
    static func number(_ figure: Figure<Double>) -> Text { text(.plain, figure.value, figure.interval) }

    /// `187 MB ±26`, in decimal units.
    static func bytes(_ bytes: (some BinaryInteger)?, _ interval: Interval<Double> = .unknown) -> Text {
        text(.bytes, bytes.map { Double($0) }, interval)
    }

    /// `2.46 Mbit/s`.
    static func bitsPerSecond(_ rate: (some BinaryInteger)?) -> Text {
        text(.bitsPerSecond, rate.map { Double($0) })
    }

    /// `75.0 s`, `12.4 min`, `187 h`.
    static func duration(_ ms: Int64) -> Text { text(.duration, Double(ms)) }

    /// `1,234,567`.
    static func count(_ count: some BinaryInteger) -> Text {
        let digits = String(count)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0, text != "-" { text.append(",") }
            text.append(digit)
        }
        return Text(value: text)
    }

    /// How many times as much: `2.3`, `0.84`, `17`.
    static func times(_ ratio: Double) -> String {
        String(format: "%.\(ratio >= 9.95 ? 0 : ratio >= 0.995 ? 1 : 2)f", ratio)
    }

    /// The texts of a column in one unit with as many decimals each, where they are of one kind.
    static func aligned(_ texts: [Text]) -> [Text] {
        guard let kind = texts.lazy.compactMap(\.quantity?.kind).first,
            texts.allSatisfy({ $0.quantity.map { $0.kind == kind } ?? ($0.value == none) })
        else { return texts }
        let format = Format(kind, texts.compactMap(\.quantity?.value))
        return texts.map { text in text.quantity.map { Text($0, in: format) } ?? text }
    }

    // MARK: Kinds and units

    fileprivate struct Quantity: Sendable, Hashable {
        var kind: Kind
        var value: Double?
        var interval: Interval<Double>
    }

    fileprivate enum Kind: Sendable, Hashable {
        case plain, percent, milliseconds, duration, bytes, bitsPerSecond

        /// From the smallest to the largest; the first is said in whole numbers where it is one of several.
        var units: [(factor: Double, name: String)] {
            switch self {
            case .plain: [(1, "")]
            case .percent: [(0.01, " %")]
            case .milliseconds: [(1, " ms"), (1_000, " s")]
            case .duration: [(1, " ms"), (1_000, " s"), (60_000, " min"), (3_600_000, " h")]
            case .bytes: Self.decimal([" B", " kB", " MB", " GB", " TB", " PB"])
            case .bitsPerSecond: Self.decimal([" bit/s", " kbit/s", " Mbit/s", " Gbit/s"])
            }
        }

        private static func decimal(_ names: [String]) -> [(factor: Double, name: String)] {
            names.enumerated().map { (pow(1_000, Double($0)), $1) }
        }
    }

    /// A unit and a number of decimals.
    fileprivate struct Format {
        var factor: Double
        var unit: String
        var decimals: Int

        /// What suits the value in the middle, with a digit more where the smallest would else be 0.
        init(_ kind: Kind, _ values: [Double]) {
            let sizes = values.map(abs).filter { $0 > 0 }.sorted()
            let middle = sizes.isEmpty ? 0 : sizes[(sizes.count - 1) / 2]
            let units = kind.units
            // A value that three digits would round up to the next unit is said in it.
            let index = units.lastIndex { middle >= $0.factor * 0.9995 } ?? 0
            (factor, unit) = units[index]
            decimals = units.count > 1 && index == 0 ? 0 : Self.decimals(middle / factor)
            if decimals > 0, let least = sizes.first {
                decimals = max(decimals, min(4, Int((-log10(least / factor)).rounded(.up))))
            }
        }

        func digits(_ value: Double) -> String { String(format: "%.\(decimals)f", value / factor) }

        /// Decimals for three digits, two of them at most behind small numbers: `0.43`, `1.24`, `12.4`, `187`, `0.0021`.
        private static func decimals(_ value: Double) -> Int {
            if value == 0 || value >= 99.95 { return 0 }
            return value >= 9.995 ? 1 : value >= 0.00995 ? 2 : 4
        }
    }

    private static func text(_ kind: Kind, _ value: Double?, _ interval: Interval<Double> = .unknown) -> Text {
        let quantity = Quantity(kind: kind, value: value, interval: interval)
        return Text(quantity, in: Format(kind, [value].compactMap { $0 }))
    }

    // MARK: Intervals

    /// How much the longer side of an interval may be beyond the shorter for `±` to speak for both.
    private static let likeness = 0.3

    /// The least number that ``twoDigits(_:)`` writes with a digit other than 0.
    private static let leastEnd = 0.000_001

    /// ` ±0.12` where both sides are about as long, else both ends, ` (0.11–1.5)`, or the one that is known.
    private static func spread(_ value: Double, _ interval: Interval<Double>) -> String {
        switch (interval.low, interval.high) {
        case (let low?, let high?):
            let sides = (value - low, high - value)
            let longer = max(sides.0, sides.1)
            if longer > 0, abs(sides.0 - sides.1) <= likeness * longer { return " ±" + twoDigits(longer) }
            return " (\(twoDigits(low))–\(twoDigits(high)))"
        // An end that is as good as 0 says nothing.
        case (let low?, nil) where low >= leastEnd: return " (at least \(twoDigits(low)))"
        case (nil, let high?): return " (at most \(twoDigits(high)))"
        default: return ""
        }
    }

    /// With two significant digits: `0.11`, `1.5`, `36`, `1200`.
    private static func twoDigits(_ value: Double) -> String {
        guard value > 0 else { return "0" }
        let size = Int(log10(value).rounded(.down))
        let step = pow(10, Double(size - 1))
        let rounded = (value / step).rounded() * step
        // 0.0996 becomes 0.10, which has a decimal less.
        let decimals = max(0, 1 - Int((log10(rounded) + 1e-9).rounded(.down)))
        return String(format: "%.\(min(6, decimals))f", rounded)
    }
}

extension Interval<Double> {
    fileprivate func scaled(by factor: Double) -> Interval {
        Interval(low: low.map { $0 * factor }, high: high.map { $0 * factor })
    }
}
