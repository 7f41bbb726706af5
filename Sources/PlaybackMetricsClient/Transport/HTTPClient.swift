public import Foundation

/// What carries a request body to the endpoint, which only it knows.
public protocol HTTPClient: Sendable {
    /// Posts a body of `application/json` to the endpoint.
    ///
    /// It must come back in bounded time, whatever the network does: the sender asks for nothing else meanwhile.
    ///
    /// - Throws: anything, when no response came.
    func post(_ body: Data) async throws -> HTTPClientResponse
}

/// What the sender needs of an endpoint's response.
public struct HTTPClientResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header `Retry-After`, as it came.
    public var retryAfter: String?
    /// The header `Date`, as it came.
    public var date: String?
    /// The body.
    public var body: Data

    /// A response.
    public init(status: Int, retryAfter: String? = nil, date: String? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.date = date
        self.body = body
    }
}
