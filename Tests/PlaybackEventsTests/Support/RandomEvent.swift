import TestSupport

/// A legal event made by chance: the members that it has, as they are written plainly.
struct RandomEvent {
    enum Value {
        case integer(Int64)
        case text(String)
        case object([(String, Value)])
    }

    var members: [(String, Value)]

    private static let pieces = [
        "a", "Z", "0", "é", "e\u{301}", "😀", "\u{2028}", "\u{2029}", "\u{a0}", "\u{FEFF}", "\u{10FFFF}", "\"", "\\",
        "/",
        "'", ",", ";", "{", "}", "[", ")", "\\n", "\\u0041", "=cmd|'", "'; DROP TABLE plays; --", "../", "<b>", "%00",
        " ",
        "null", "eu-west", "iPhone15,2", "CoreMediaErrorDomain", "#",
    ]

    /// A legal text of up to so many bytes.
    private static func text(_ longest: Int, _ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let next = text + (pieces.randomElement(using: &random) ?? "")
            guard next.utf8.count <= longest else { break }
            text = next
        }
        return text
    }

    private static let ranges: [(String, ClosedRange<Int64>)] = [
        ("startupMs", 0...3_600_000), ("avgBitrate", 1...1_000_000_000), ("ageMs", 0...1 << 53),
        ("endedAt", Int64.min...Int64.max), ("bytes", 0...1 << 40), ("memoryBytes", 0...1 << 53),
        ("waitedMs", 0...3_600_000), ("accessLogStartupMs", 0...3_600_000), ("attempt", 1...100),
        ("playerStalls", 0...100_000), ("playerStalledMs", 0...86_400_000),
    ]
    private static let texts = [
        "sessionId", "cdn", "cdnRegion", "network", "source", "appVersion", "osVersion", "deviceModel", "player",
    ]

    init(_ random: inout SeededGenerator) {
        let watched = Int64.random(in: 0...86_400_000, using: &random)
        let stalled = Bool.random(using: &random) ? 0 : Int64.random(in: 0...watched, using: &random)
        members = [
            ("videoId", .text(Self.text(128, &random))),
            ("stalls", .integer(stalled == 0 ? 0 : .random(in: 1...100_000, using: &random))),
            ("stalledMs", .integer(stalled)), ("watchedMs", .integer(watched)),
        ]
        for (name, range) in Self.ranges where Bool.random(using: &random) {
            members.append((name, .integer(.random(in: range, using: &random))))
        }
        for name in Self.texts where Bool.random(using: &random) {
            members.append((name, .text(Self.text(128, &random))))
        }
        if Bool.random(using: &random) {
            let digits = (0..<32).map { _ in String(Int.random(in: 0..<16, using: &random), radix: 16) }.joined()
            let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
                String(Array(digits)[range.clamped(to: 0..<32)])
            }
            members.append(("playId", .text("1" + parts.joined(separator: "-").dropFirst())))
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: members.append(("error", .text(Self.text(64, &random))))
        case 1:
            let code = Value.integer(.random(in: .min ... .max, using: &random))
            members.append(("error", .object([("domain", .text(Self.text(64, &random))), ("code", code)])))
        case 2:
            let code = Value.text(Self.text(64, &random))
            members.append(("error", .object([("domain", .text(Self.text(64, &random))), ("code", code)])))
        default: break
        }
        let tags = Int.random(in: 0...8, using: &random)
        guard tags > 0 else { return }
        let names = ["lifecycle", "acquired", "preloaded", "a", "z9_", "b2", "presentation", "arm"].shuffled(
            using: &random)
        members.append(("tags", .object(names.prefix(tags).map { ($0, .text(Self.text(128, &random))) })))
    }

    /// As plainly as JSON can be.
    var plain: String { Self.write(.object(members)) }

    private static func write(_ value: Value) -> String {
        switch value {
        case .integer(let integer): return "\(integer)"
        case .text(let text): return quoted(text)
        case .object(let members):
            return "{" + members.map { quoted($0) + ":" + write($1) }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var written = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { written += "\\" }
            written.unicodeScalars.append(scalar)
        }
        return written + "\""
    }

    /// The same event, written as oddly as JSON allows: another order, escapes, white space, unknown members.
    func odd(_ random: inout SeededGenerator) -> String {
        Self.writeOddly(.object(members), &random)
    }

    private static func writeOddly(_ value: Value, _ random: inout SeededGenerator) -> String {
        switch value {
        case .integer(let integer):
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return "\(integer).000"
            case 1: return "\(integer)e+0"
            case 2 where integer != 0: return "\(integer)00E-2"
            default: return "\(integer)"
            }
        case .text(let text): return oddlyQuoted(text, &random)
        case .object(let members):
            var written: [String] = []
            for (name, value) in members.shuffled(using: &random) {
                let key = oddlyQuoted(name, &random)
                written.append(
                    space(&random) + key + space(&random) + ":" + space(&random) + writeOddly(value, &random))
            }
            return "{" + written.joined(separator: space(&random) + ",") + space(&random) + "}"
        }
    }

    private static func space(_ random: inout SeededGenerator) -> String {
        ["", "", "", " ", "\n", "\t\r", "   "].randomElement(using: &random) ?? ""
    }

    private static func oddlyQuoted(_ text: String, _ random: inout SeededGenerator) -> String {
        var written = "\""
        for scalar in text.unicodeScalars {
            let mustEscape = scalar == "\"" || scalar == "\\"
            switch Int.random(in: 0..<(mustEscape ? 2 : 8), using: &random) {
            case 0:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
                    written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            case 1 where mustEscape || scalar == "/": written += "\\" + String(scalar)
            default: written.unicodeScalars.append(scalar)
            }
        }
        return written + "\""
    }
}
