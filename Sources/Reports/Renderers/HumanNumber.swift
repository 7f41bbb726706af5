internal import Foundation

/// Numbers as people read them, with their unit, and with `±` where their interval is known.
enum HumanNumber {
    /// What stands where there is nothing to base a number on.
    static let none = "–"

    /// A number's text, and the half-width of its interval to stand after it.
    struct Text: Sendable, Hashable {
        var value: String
        /// ` ±0.12` in the unit of the value; empty when the interval is not known.
        var spread = ""
    }

    /// `850 ms`, `1.24 s ±0.12`.
    static func milliseconds(_ ms: Int64?, _ interval: Interval<Int64> = .unknown) -> Text {
        guard let ms else { return Text(value: none) }
        let interval = Interval(low: interval.low.map(Double.init), high: interval.high.map(Double.init))
        return ms < 1_000
            ? text(Double(ms), interval, unit: " ms", isWhole: true)
            : text(Double(ms), interval, per: 1_000, unit: " s")
    }

    static func milliseconds(_ figure: Figure<Int64>) -> Text { milliseconds(figure.value, figure.interval) }

    /// `0.43 % ±0.12`.
    static func percent(_ ratio: Double?, _ interval: Interval<Double> = .unknown) -> Text {
        text(ratio, interval, per: 0.01, unit: " %")
    }

    static func percent(_ figure: Figure<Double>) -> Text { percent(figure.value, figure.interval) }

    /// `28.3 ±5.1`.
    static func number(_ figure: Figure<Double>) -> Text { text(figure.value, figure.interval, unit: "") }

    /// `187 MB ±26`, in decimal units.
    static func bytes(_ bytes: (some BinaryInteger)?, _ interval: Interval<Double> = .unknown) -> Text {
        scaled(
            bytes.map { Double($0) }, interval,
            units: [" B", " kB", " MB", " GB", " TB", " PB"])
    }

    /// `2.46 Mbit/s`.
    static func bitsPerSecond(_ rate: (some BinaryInteger)?) -> Text {
        scaled(rate.map { Double($0) }, .unknown, units: [" bit/s", " kbit/s", " Mbit/s", " Gbit/s"])
    }

    /// `75 s`, `12.4 min`, `187 h`.
    static func duration(_ ms: Int64) -> Text {
        switch ms {
        case ..<60_000: milliseconds(ms)
        case ..<3_600_000: text(Double(ms), .unknown, per: 60_000, unit: " min")
        default: text(Double(ms), .unknown, per: 3_600_000, unit: " h")
        }
    }

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

    // MARK: Digits

    /// The largest unit of which there is at least one, with three digits.
    private static func scaled(_ value: Double?, _ interval: Interval<Double>, units: [String]) -> Text {
        var (factor, rank) = (1.0, 0)
        while let value, value / factor >= 999.5, rank < units.count - 1 {
            factor *= 1_000
            rank += 1
        }
        return text(value, interval, per: factor, unit: units[rank], isWhole: rank == 0)
    }

    private static func text(
        _ value: Double?, _ interval: Interval<Double>, per factor: Double = 1, unit: String, isWhole: Bool = false
    ) -> Text {
        guard let value else { return Text(value: none) }
        // The wider side of the interval: nothing is promised that it does not hold.
        let half = interval.low.flatMap { low in interval.high.map { max(value - low, $0 - value) / factor } }
        let decimals = isWhole ? 0 : decimals(max(abs(value / factor), value == 0 ? half ?? 0 : 0))
        let digits = { (number: Double) in String(format: "%.\(decimals)f", number) }
        return Text(value: digits(value / factor) + unit, spread: half.map { " ±" + digits($0) } ?? "")
    }

    /// Decimals for three digits, two of them at most behind small numbers: `0.43`, `1.24`, `12.4`, `187`, `0.0021`.
    private static func decimals(_ value: Double) -> Int {
        let size = abs(value)
        if size == 0 || size >= 99.95 { return 0 }
        return size >= 9.995 ? 1 : size >= 0.00995 ? 2 : 4
    }
}
