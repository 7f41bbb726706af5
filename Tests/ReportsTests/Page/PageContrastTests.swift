import Foundation
import Testing

@testable import Reports

@Suite("The page's colours")
struct PageContrastTests {
    /// The variables of each scheme: light, dark, in print.
    private static let schemes: [[String: String]] = PageStyle.css.text.matches(of: /:root \{([^}]*)\}/).map { root in
        Dictionary(
            String(root.1).matches(of: /--([a-z]+): #([0-9a-f]+);/).map { (String($0.1), String($0.2)) },
            uniquingKeysWith: { $1 })
    }

    @Test("can be read in light, in dark and in print: 4.5 to 1 for text, 3 to 1 for pictures")
    func contrast() throws {
        #expect(Self.schemes.count == 3)
        for scheme in Self.schemes {
            let paper = try #require(scheme["paper"])
            for name in ["ink", "quiet", "bad", "good", "one"] {
                #expect(Self.contrast(try #require(scheme[name]), paper) >= 4.5, "\(name) on \(paper)")
            }
            #expect(Self.contrast(try #require(scheme["two"]), paper) >= 3)
            #expect(Self.contrast(try #require(scheme["ink"]), try #require(scheme["band"])) >= 4.5)
        }
    }

    /// The contrast of two colours (WCAG 2.1, "contrast ratio"), 1–21.
    private static func contrast(_ one: String, _ other: String) -> Double {
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    /// The relative luminance of `rrggbb` or `rgb` (WCAG 2.1), 0–1.
    private static func luminance(_ colour: String) -> Double {
        let long = colour.count == 3 ? colour.map { "\($0)\($0)" }.joined() : colour
        let number = Int(long, radix: 16) ?? 0
        let parts = [number >> 16, number >> 8 & 255, number & 255].map { part in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
