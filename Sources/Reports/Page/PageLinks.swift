internal import Foundation

/// Where the groups of a page lead: to the plays behind them, and from these to their sessions.
package struct PlayLinks: Sendable, Hashable {
    /// What the page was asked with that goes along: times, zone and filters.
    private let scope: [(name: String, value: String)]
    private let key: String?

    /// - Parameter key: the read key, where it came with the URL.
    package init(scope: [(name: String, value: String)], key: String?) {
        self.scope = scope
        self.key = key
    }

    /// The plays of a group, the failed ones of an error code where one is named.
    func plays(_ dimensions: [PlayDimension], _ names: GroupNames, errorCode: String? = nil) -> String {
        var items = scope
        for (dimension, name) in zip(dimensions, names) where name != "(all)" {
            items.append(("where", Self.exact(dimension, name)))
        }
        if let errorCode {
            items.append(("where", Self.exact(.errorCode, errorCode)))
            items.append(("worst", "failed"))
        }
        return "plays" + query(items)
    }

    /// A session's page, from a page one level up from it.
    func session(_ id: String) -> String { "session/" + Self.escaped(id) + query(zone) }

    /// A play's page, from a session's.
    func play(_ id: String) -> String { "../play/" + Self.escaped(id) + query(zone) }

    /// The report of the last seven days, from a page.
    ///
    /// - Parameters:
    ///   - path: of the page, from the root.
    ///   - key: the read key, where it came with the URL.
    package static func home(from path: String, key: String?) -> String {
        let levels = path.utf8.count { $0 == UInt8(ascii: "/") } - 1
        let place = path == "/" ? "" : levels > 0 ? String(repeating: "../", count: levels) : "./"
        let query = PlayLinks(scope: [], key: key).query([])
        return place.isEmpty && query.isEmpty ? "?" : place + query
    }

    private var zone: [(name: String, value: String)] { scope.filter { $0.name == "time_zone" } }

    /// One value, whatever commas and quotes are in it.
    private static func exact(_ dimension: PlayDimension, _ name: String) -> String {
        guard name.contains(",") || name.hasPrefix("\"") else { return "\(dimension.name)=\(name)" }
        return "\(dimension.name)=\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
    }

    private func query(_ items: [(name: String, value: String)]) -> String {
        let all = items + (key.map { [("key", $0)] } ?? [])
        let parts = all.map { "\($0.0)=\(Self.escaped($0.1))" }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// Everything but letters, digits and `-._~` as `%XX`.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }

    package static func == (one: PlayLinks, other: PlayLinks) -> Bool {
        one.query(one.scope) == other.query(other.scope)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(query(scope)) }
}
