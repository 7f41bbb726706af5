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
