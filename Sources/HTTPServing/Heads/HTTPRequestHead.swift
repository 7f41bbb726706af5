/// A request line and its header fields, checked: what is ambiguous or malformed never becomes one.
package struct HTTPRequestHead: Sendable {
    /// As sent; any token of at most 32 bytes but `CONNECT`. Letter case counts.
    package let method: String
    /// Percent-decoded, begins with `/`, or is `*`. Neither `.` nor `..` nor `//` is resolved.
    package let path: String
    /// What follows the first `?`, decoded as forms are: `&` between items, `+` for a space.
    package let query: [HTTPQueryItem]
    package let version: HTTPVersion
    package let fields: HTTPFields
    /// How the body's end is told.
    package let framing: HTTPFraming
    /// Whether the client wants to send another request on this connection.
    package let keepsAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    package let expectsContinue: Bool
    /// The other end of the connection: a proxy where there is one.
    package let peer: IPAddress
    /// The request target as sent.
    package var target: String { String(decoding: fields.bytes[targetRange], as: UTF8.self) }

    let targetRange: Range<Int>
    /// Bytes of the head, from the request's first byte to the end of its empty line.
    var byteCount: Int { fields.bytes.count }

    /// The first value of the query item of that name.
    package func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}

/// One `name=value` of a query; without `=` the value is empty.
package struct HTTPQueryItem: Sendable, Equatable {
    package let name, value: String
}

package enum HTTPVersion: Sendable {
    case http10, http11
}

/// How the end of a request's body is told.
package enum HTTPFraming: Sendable, Equatable {
    /// No body.
    case none
    /// That many bytes, above 0; `Int.max` also for more than an `Int` holds.
    case length(Int)
    case chunked
}
