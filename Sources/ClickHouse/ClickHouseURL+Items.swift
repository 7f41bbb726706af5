extension ClickHouseURL {
    /// Reads what stands behind the question mark.
    mutating func read(items: Substring) throws(ClickHouseURLFault) {
        var seen: Set<String> = []
        for item in items.split(separator: "&", omittingEmptySubsequences: false) {
            let equals = item.firstIndex(of: "=") ?? item.endIndex
            let key = String(item[..<equals])
            guard seen.insert(key).inserted else { throw ClickHouseURLFault("says \(key) twice") }
            guard equals < item.endIndex, let value = Self.decoded(item[item.index(after: equals)...]), !value.isEmpty
            else { throw ClickHouseURLFault("has \"\(item)\": \(Self.keys), each with =VALUE, are right there") }
            try set(key, value)
        }
    }

    private static let keys = "user, cluster, seconds and rows"

    private mutating func set(_ key: String, _ value: String) throws(ClickHouseURLFault) {
        switch key {
        case "user": user = value
        case "cluster":
            guard Self.isClusterName(value) else {
                throw ClickHouseURLFault(
                    "has the cluster \"\(value)\": letters, digits, _, - and . are right, as in <remote_servers>")
            }
            cluster = value
        case "seconds": seconds = try Self.number(key, value, 1...86_400)
        case "rows": rows = try Self.number(key, value, 1...1_000_000_000_000_000)
        case "password":
            throw ClickHouseURLFault("holds a password: it comes from QOE_CLICKHOUSE_PASSWORD")
        default: throw ClickHouseURLFault("has \"\(key)=\": only \(Self.keys) are known there")
        }
    }

    /// A cluster's name is an element of ClickHouse's configuration.
    package static func isClusterName(_ text: String) -> Bool {
        isName(String(text.map { $0 == "-" || $0 == "." ? "_" : $0 }))
    }

    private static func number(
        _ key: String, _ text: String, _ range: ClosedRange<Int64>
    ) throws(ClickHouseURLFault) -> Int64 {
        guard let number = Int64(text), range.contains(number) else {
            throw ClickHouseURLFault("has \(key)=\(text): it should be \(range.lowerBound) to \(range.upperBound)")
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
