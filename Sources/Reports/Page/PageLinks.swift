internal import Foundation

/// Where the parts of a page lead: to the page of fewer plays or of another time, to the plays behind a number, to files.
package struct PageLinks: Sendable {
    package typealias Item = (name: String, value: String)

    /// What the page was asked with, without the key.
    let query: [Item]
    /// The read key, where it came with the URL.
    let key: String?

    /// What says which plays a page is about.
    private static let times: Set<String> = ["day", "from", "to", "last"]
    private static let scope = times.union(["time_zone", "where"])

    /// - Parameters:
    ///   - query: what the page was asked with, in its parameters' names.
    ///   - key: the read key, where it came with the URL.
    package init(query: [Item], key: String?) {
        self.query = query
        self.key = key
    }

    /// What a parameter was given, where it stands there once.
    func value(_ name: String) -> String? { query.last { $0.name == name }?.value }

    // MARK: The page itself

    /// The page of those of its plays that share a value.
    func page(only dimension: PlayDimension, _ value: String) -> String {
        let filter = Self.exact(dimension, value)
        let isThere = query.contains { $0.name == "where" && $0.value == filter }
        return text(isThere ? query : query + [("where", filter)])
    }

    /// The page of another time.
    ///
    /// - Parameter time: a parameter with its value; nil for the last seven days.
    func page(of time: Item?) -> String {
        text(query.filter { !Self.times.contains($0.name) } + (time.map { [$0] } ?? []))
    }

    private func text(_ items: [Item]) -> String {
        let text = parameters(items)
        return text.isEmpty ? "?" : text
    }

    // MARK: Plays

    /// The plays of a group, the failed ones of an error code where one is named.
    func plays(_ dimensions: [PlayDimension], _ names: GroupNames, errorCode: String? = nil) -> String {
        var items = query.filter { Self.scope.contains($0.name) }
        for (dimension, name) in zip(dimensions, names) where name != "(all)" {
            items.append(("where", Self.exact(dimension, name)))
        }
        if let errorCode {
            items.append(("where", Self.exact(.errorCode, errorCode)))
            items.append(("worst", "failed"))
        }
        return "plays" + parameters(items)
    }

    /// A session's page, from a page one level up from it.
    func session(_ id: String) -> String { "session/" + Self.escaped(id) + parameters(zone) }

    /// A play's page, from a session's.
    func play(_ id: String) -> String { "../play/" + Self.escaped(id) + parameters(zone) }

    private var zone: [Item] { query.filter { $0.name == "time_zone" } }

    // MARK: Files

    /// The file with what a table of the page shows.
    ///
    /// - Parameters:
    ///   - report: its name, such as `summary`.
    ///   - by: other groups than the page's.
    ///   - more: parameters that it needs beside the page's.
    func file(_ report: String, by: String? = nil, _ more: [Item] = []) -> String {
        var items = query.filter { $0.name != "percentiles" || report == "startup" }
        if let by { items = items.filter { $0.name != "by" } + [("by", by)] }
        return "v1/reports/\(report).csv" + parameters(items + more)
    }

    // MARK: Home

    /// The report of the last seven days, from a page.
    ///
    /// - Parameters:
    ///   - path: of the page, from the root.
    ///   - key: the read key, where it came with the URL.
    package static func home(from path: String, key: String?) -> String {
        let levels = path.utf8.count { $0 == UInt8(ascii: "/") } - 1
        let position = path == "/" ? "" : levels > 0 ? String(repeating: "../", count: levels) : "./"
        let query = PageLinks(query: [], key: key).parameters([])
        return position.isEmpty && query.isEmpty ? "?" : position + query
    }

    // MARK: Text

    /// One value, whatever commas and quotes are in it.
    static func exact(_ dimension: PlayDimension, _ name: String) -> String {
        guard name.contains(",") || name.hasPrefix("\"") else { return "\(dimension.name)=\(name)" }
        return "\(dimension.name)=\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
    }

    private func parameters(_ items: [Item]) -> String {
        let all = items + (key.map { [("key", $0)] } ?? [])
        let parts = all.map { "\($0.name)=\(Self.escaped($0.value))" }
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
}

extension PageLinks: Hashable {
    package static func == (one: PageLinks, other: PageLinks) -> Bool {
        one.parameters(one.query) == other.parameters(other.query)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(parameters(query)) }
}
