internal import Foundation

/// Numbers as people read them, at most four digits with their unit.
enum HumanNumber {
    /// What stands where there is nothing to base a number on.
    static let none = "–"

    /// `850 ms`, `1.24 s`, `75 s`.
    static func milliseconds(_ ms: Int64?) -> String {
        guard let ms else { return none }
        if ms < 1_000 { return "\(ms) ms" }
        return significant(Double(ms) / 1_000) + " s"
    }

    /// `0.43 %`.
    static func percent(_ ratio: Double?) -> String {
        guard let ratio else { return none }
        return significant(ratio * 100) + " %"
    }

    /// `187 MB`, decimal units.
    static func bytes(_ bytes: Int128?) -> String {
        guard let bytes else { return none }
        var value = Double(bytes)
        if bytes < 1_000 { return "\(bytes) B" }
        for unit in ["kB", "MB", "GB", "TB", "PB"] {
            value /= 1_000
            if value < 999.5 || unit == "PB" { return significant(value) + " " + unit }
        }
        return none
    }

    /// `1,234,567`.
    static func count(_ count: some BinaryInteger) -> String {
        let digits = String(count)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0, text != "-" { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// Three digits, or as many as stand before the point: `0.43`, `1.24`, `12.4`, `187`.
    static func significant(_ value: Double) -> String {
        let size = abs(value)
        if size == 0 { return "0" }
        let decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.00995 ? 2 : 4
        return String(format: "%.\(decimals)f", value)
    }
}
