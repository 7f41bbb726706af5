internal import Foundation

/// Text that is HTML already; everything else is escaped on its way in.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    private(set) var text: String

    struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }
        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
        mutating func appendInterpolation(_ plain: String) { text += HTML.escaped(plain) }
        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// A length or a place in SVG, with two decimals.
        mutating func appendInterpolation(_ number: Double) {
            text += String(format: "%.2f", number.isFinite ? number : 0)
        }
    }

    init(stringLiteral value: String) { text = value }
    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
    init(_ plain: String) { text = Self.escaped(plain) }

    static let nothing: HTML = ""

    private static let units: Set<Substring> = [
        "%", "ms", "s", "min", "h", "B", "kB", "MB", "GB", "TB", "PB", "bit/s", "kbit/s", "Mbit/s", "Gbit/s",
    ]

    /// Plain text in which no line ends between a number and its unit.
    init(keepingUnits plain: String) {
        var text = ""
        var isNumber = false
        for (index, word) in plain.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                let end = word.lastIndex { !".,;:)".contains($0) }
                let isUnit = isNumber && end.map { Self.units.contains(word[...$0]) } == true
                text += isUnit ? "\u{A0}" : " "
            }
            text += word
            isNumber = word.last?.isASCII == true && word.last?.isNumber == true
        }
        self.init(text)
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
