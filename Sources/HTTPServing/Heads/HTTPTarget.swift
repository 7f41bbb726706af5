internal import Platform

/// A request target taken apart: where its path and query lie, and what they say.
struct HTTPTarget {
    let path: String
    let query: [HTTPQueryItem]

    /// Takes the origin form, the absolute form of `http` and `https`, and `*` of `OPTIONS`.
    ///
    /// - Throws: `.malformed` for any other form, bytes that no URL has, escapes that are none, `%00`, and what is not
    ///   UTF-8 once decoded.
    init(_ target: UnsafeRawBufferPointer, method: String) throws(HTTPError) {
        guard !target.isEmpty, target.allSatisfy(HTTPCharacters.isTarget) else {
            throw .malformed("The request target is no URL.")
        }
        if target[0] == UInt8(ascii: "*"), target.count == 1, method == "OPTIONS" {
            path = "*"
            query = []
            return
        }
        let local = try Self.withoutAuthority(target)
        let mark = local.firstIndex(of: UInt8(ascii: "?")) ?? local.count
        path = mark == 0 ? "/" : try Self.decoded(local[..<mark], plusIsSpace: false)
        query = mark == local.count ? [] : try Self.items(local[(mark + 1)...])
    }

    /// The target from its path on; empty for `http://host`.
    private static func withoutAuthority(
        _ target: UnsafeRawBufferPointer
    ) throws(HTTPError) -> UnsafeRawBufferPointer {
        if target[0] == UInt8(ascii: "/") { return target }
        for scheme in ["http://", "https://"] {
            let length = scheme.utf8.count
            guard target.count > length,
                HTTPCharacters.equal(UnsafeRawBufferPointer(rebasing: target[..<length]), scheme)
            else { continue }
            let end = target[length...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            let authority = target[length..<(end ?? target.count)]
            guard !authority.isEmpty, authority.allSatisfy(HTTPCharacters.isAuthority) else { break }
            return UnsafeRawBufferPointer(rebasing: target[(end ?? target.count)...])
        }
        throw .malformed("The request target is neither a path nor an http URL.")
    }

    fileprivate static func items(_ query: Slice<UnsafeRawBufferPointer>) throws(HTTPError) -> [HTTPQueryItem] {
        var items: [HTTPQueryItem] = []
        for item in query.split(separator: UInt8(ascii: "&")) {
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            items.append(
                HTTPQueryItem(
                    name: try decoded(item[..<equals], plusIsSpace: true),
                    value: try decoded(item[equals...].dropFirst(), plusIsSpace: true)))
        }
        return items
    }

    /// Undoes percent-encoding.
    private static func decoded(
        _ bytes: Slice<UnsafeRawBufferPointer>, plusIsSpace: Bool
    ) throws(HTTPError) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "%") else {
                text.append(plusIsSpace && byte == UInt8(ascii: "+") ? HTTPCharacters.space : byte)
                continue
            }
            guard index + 1 < bytes.endIndex, let high = Hexadecimal.value(of: bytes[index]),
                let low = Hexadecimal.value(of: bytes[index + 1])
            else { throw .malformed("A % in the request target has no two hexadecimal digits after it.") }
            guard high | low != 0 else { throw .malformed("The request target holds %00.") }
            text.append(high << 4 | low)
            index += 2
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            throw .malformed("The request target is not UTF-8 once decoded.")
        }
        return string
    }
}

extension HTTPQueryItem {
    /// The items of a query as it stands in a request target, without its `?`.
    ///
    /// - Throws: `.malformed` for escapes that are none, `%00`, and what is not UTF-8 once decoded.
    package static func items(of query: [UInt8]) throws(HTTPError) -> [HTTPQueryItem] {
        try query.span.bytes.withUnsafeBytes { query throws(HTTPError) in
            try HTTPTarget.items(query[query.startIndex..<query.endIndex])
        }
    }
}
