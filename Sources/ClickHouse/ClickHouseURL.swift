/// Where a ClickHouse store is: `clickhouse://host:8123,host2:8123/database?user=NAME&cluster=NAME`.
///
/// `clickhouses://` speaks TLS. A password is never part of it, so that none gets into a list of processes.
package struct ClickHouseURL: Sendable, Hashable {
    /// An HTTP interface of a ClickHouse server.
    package struct Host: Sendable, Hashable, CustomStringConvertible {
        /// A name or an address; an IPv6 address stands in brackets.
        package var name: String
        package var port: UInt16

        package init(_ name: String, port: UInt16) {
            self.name = name
            self.port = port
        }

        package var description: String { "\(name):\(port)" }
    }

    /// In the order in which they are tried; never empty.
    package var hosts: [Host]
    package var database: String
    /// Nil: ClickHouse's own `default`.
    package var user: String?
    /// The cluster of the `Distributed` tables, nil for one server by itself.
    package var cluster: String?
    package var usesTLS = false
    /// How long a report's query may take, in seconds, 1–86,400.
    package var seconds: Int64 = 600
    /// How many rows a report's query may read, 1–10¹⁵.
    package var rows: Int64 = 20_000_000_000

    package init(hosts: [Host], database: String) {
        self.hosts = hosts
        self.database = database
    }

    /// Reads the text of a URL.
    ///
    /// - Throws: what is wrong with it, and what would be right.
    package init(_ text: String) throws(ClickHouseURLError) {
        let (usesTLS, rest) = try Self.scheme(text)
        let question = rest.firstIndex(of: "?") ?? rest.endIndex
        guard let slash = rest[..<question].firstIndex(of: "/") else {
            throw ClickHouseURLError("names no database: \(Self.example)")
        }
        let name = String(rest[rest.index(after: slash)..<question])
        guard Self.isName(name) else {
            throw ClickHouseURLError(
                "has the database \"\(name)\": letters, digits and _ are right, as in \(Self.example)")
        }
        let port: UInt16 = usesTLS ? 8_443 : 8_123
        var hosts: [Host] = []
        for word in rest[..<slash].split(separator: ",", omittingEmptySubsequences: false) {
            let host = try Self.host(word, port: port)
            guard !hosts.contains(host) else { throw ClickHouseURLError("names the host \(host) twice") }
            hosts.append(host)
        }
        self.init(hosts: hosts, database: name)
        self.usesTLS = usesTLS
        if question < rest.endIndex { try read(items: rest[rest.index(after: question)...]) }
    }

    static let example = "clickhouse://host:8123/database?user=NAME"

    /// Whether a text can be the name of a database or a cluster as it stands, without quotes in any place.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !(text.utf8.first.map { (48...57).contains($0) } ?? true)
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
            }
    }

    private static func scheme(_ text: String) throws(ClickHouseURLError) -> (usesTLS: Bool, rest: Substring) {
        for (scheme, usesTLS) in [("clickhouse://", false), ("clickhouses://", true)] where text.hasPrefix(scheme) {
            return (usesTLS, text.dropFirst(scheme.count))
        }
        throw ClickHouseURLError("should begin with clickhouse:// (or clickhouses:// for TLS), as in \(example)")
    }

    private static func host(_ word: Substring, port initial: UInt16) throws(ClickHouseURLError) -> Host {
        guard !word.contains("@") else {
            throw ClickHouseURLError(
                "has an @: the user is ?user=NAME, and the password comes from QOE_CLICKHOUSE_PASSWORD")
        }
        // The colons of an IPv6 address stand before the bracket.
        let bracket = word.lastIndex(of: "]") ?? word.startIndex
        let colon = word[bracket...].lastIndex(of: ":") ?? word.endIndex
        let name = word[..<colon]
        let isAddress = name.hasPrefix("[") && name.hasSuffix("]") && name.count > 2
        let bytes = isAddress ? name.dropFirst().dropLast() : name
        let isGood = bytes.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || (isAddress ? byte == 58 || byte == 46 : byte == 45 || byte == 46 || byte == 95)
        }
        guard !bytes.isEmpty, isGood else {
            throw ClickHouseURLError("has the host \"\(word)\": host:8123 is right, several with commas between them")
        }
        guard colon < word.endIndex else { return Host(String(name), port: initial) }
        guard let port = UInt16(word[word.index(after: colon)...]), port > 0 else {
            throw ClickHouseURLError("has the host \"\(word)\": its port should be 1 to 65535")
        }
        return Host(String(name), port: port)
    }
}

/// What is wrong with the text of a ``ClickHouseURL``; the words go on after its name.
package struct ClickHouseURLError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension ClickHouseURL {
    /// Reads what stands behind the question mark.
    mutating func read(items: Substring) throws(ClickHouseURLError) {
        var seen: Set<String> = []
        for item in items.split(separator: "&", omittingEmptySubsequences: false) {
            let equals = item.firstIndex(of: "=") ?? item.endIndex
            let key = String(item[..<equals])
            guard seen.insert(key).inserted else { throw ClickHouseURLError("says \(key) twice") }
            guard equals < item.endIndex, let value = Self.decoded(item[item.index(after: equals)...]), !value.isEmpty
            else { throw ClickHouseURLError("has \"\(item)\": \(Self.keys), each with =VALUE, are right there") }
            try set(key, value)
        }
    }

    private static let keys = "user, cluster, seconds and rows"

    private mutating func set(_ key: String, _ value: String) throws(ClickHouseURLError) {
        switch key {
        case "user": user = value
        case "cluster":
            guard Self.isClusterName(value) else {
                throw ClickHouseURLError(
                    "has the cluster \"\(value)\": letters, digits, _, - and . are right, as in <remote_servers>")
            }
            cluster = value
        case "seconds": seconds = try Self.number(key, value, 1...86_400)
        case "rows": rows = try Self.number(key, value, 1...1_000_000_000_000_000)
        case "password":
            throw ClickHouseURLError("holds a password: it comes from QOE_CLICKHOUSE_PASSWORD")
        default: throw ClickHouseURLError("has \"\(key)=\": only \(Self.keys) are known there")
        }
    }

    /// A cluster's name is an element of ClickHouse's configuration.
    package static func isClusterName(_ text: String) -> Bool {
        isName(String(text.map { $0 == "-" || $0 == "." ? "_" : $0 }))
    }

    private static func number(
        _ key: String, _ text: String, _ range: ClosedRange<Int64>
    ) throws(ClickHouseURLError) -> Int64 {
        guard let number = Int64(text), range.contains(number) else {
            throw ClickHouseURLError("has \(key)=\(text): it should be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Undoes `%XX`; nil for what is none, for controls, and for bytes that are no UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
