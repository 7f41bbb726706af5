/// A response. The server adds `Date`, `Connection` and `Content-Length`, and leaves the body out where HTTP does.
package struct HTTPResponse: Sendable {
    /// 200–599; anything else is sent as 500.
    package var status: Int
    /// A field whose name is no token, or that the server itself writes, is left out; controls in values are too.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    /// Whether the connection closes after this response even if the client would keep it.
    package var closes: Bool

    package init(
        status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = [], closes: Bool = false
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.closes = closes
    }
}
