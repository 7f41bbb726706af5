/// Why the server answers a request itself, or can't take it.
package enum HTTPError: Error, Sendable, Equatable {
    /// The head or the framing breaks the rules, or leaves open where the request ends.
    case malformed(String)
    /// The whole request did not arrive in time.
    case timeout
    /// The body is longer than the handler admits, in bytes.
    case bodyTooLarge(limit: Int)
    /// The request line is longer than allowed, in bytes.
    case targetTooLong(limit: Int)
    /// The head has too many bytes or fields.
    case headTooLarge(String)
    /// A transfer coding or method that this server does not have.
    case notImplemented(String)
    case versionNotSupported
    /// The server is about to end.
    case stopping
    /// The budget for bytes in flight has no room for the body.
    case noRoom
    /// All connections are taken; the response goes out before anything is read.
    case tooManyConnections
    /// The same of the connections that one address may have.
    case tooManyOfAddress

    package var status: Int {
        switch self {
        case .malformed: 400
        case .timeout: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .headTooLarge: 431
        case .notImplemented: 501
        case .stopping, .noRoom, .tooManyConnections, .tooManyOfAddress: 503
        case .versionNotSupported: 505
        }
    }

    /// One sentence without the client's text.
    package var explanation: String {
        switch self {
        case .malformed(let what): what
        case .timeout: "The request did not arrive in time."
        case .bodyTooLarge(let limit): "The body is longer than \(limit) bytes."
        case .targetTooLong(let limit): "The request line is longer than \(limit) bytes."
        case .headTooLarge(let what): what
        case .notImplemented(let what): what
        case .versionNotSupported: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        case .stopping: "The server is stopping."
        case .noRoom: "Too many bytes are in flight."
        case .tooManyConnections: "All connections are taken."
        case .tooManyOfAddress: "All connections that one address may have are taken."
        }
    }
}
