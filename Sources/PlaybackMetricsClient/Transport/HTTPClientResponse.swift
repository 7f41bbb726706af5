public import Foundation

/// What the sender needs of an endpoint's answer.
public struct HTTPClientResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header `Retry-After`, as it came.
    public var retryAfter: String?
    /// The header `Date`, as it came.
    public var date: String?
    /// The body.
    public var body: Data

    /// An answer.
    public init(status: Int, retryAfter: String? = nil, date: String? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.date = date
        self.body = body
    }
}
