import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One session for all requests, until three of them have been lost in it: then a new one.
///
/// A lost request may hold its connection, and a place among the session's few, for ever.
final class RenewedSession: Sendable {
    private struct State: Sendable {
        var session: URLSession
        var number = 0
        var lost = 0
    }

    private static let lossLimit = 3

    private let timeout: Duration
    private let state: Locked<State>

    /// - Parameter timeout: what the system is told besides; it counts whole seconds only.
    init(timeout: Duration) {
        self.timeout = timeout
        state = Locked(State(session: Self.session(timeout: timeout)))
    }

    deinit {
        state.withLock { $0.session.finishTasksAndInvalidate() }
    }

    /// Begins a request.
    ///
    /// - Parameter completion: called once with the response, or with why none came; never called when the system loses it.
    /// - Returns: the number of the session that it runs in.
    func begin(
        _ request: URLRequest, completion: @escaping @Sendable (Result<HTTPClientResponse, any Error>) -> Void
    ) -> Int {
        // Under the lock, so that no session is used after it was put away.
        state.withLock { state in
            let task = state.session.dataTask(with: request) { body, response, error in
                if let error { return completion(.failure(error)) }
                guard let response = response as? HTTPURLResponse else {
                    return completion(.failure(URLSessionHTTPClient.Failure.notHTTP))
                }
                completion(
                    .success(
                        HTTPClientResponse(
                            status: response.statusCode,
                            retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                            date: response.value(forHTTPHeaderField: "Date"),
                            body: body ?? Data())))
            }
            task.resume()
            return state.number
        }
    }

    /// A request of a session ran into its deadline.
    func lost(in session: Int) {
        state.withLock { state in
            guard state.number == session else { return }
            state.lost += 1
            guard state.lost == Self.lossLimit else { return }
            state.session.finishTasksAndInvalidate()
            state = State(session: Self.session(timeout: timeout), number: session + 1)
        }
    }

    private static func session(timeout: Duration) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let seconds = Double(max(1, timeout.components.seconds))
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        return URLSession(configuration: configuration, delegate: Refusals(), delegateQueue: nil)
    }
}

/// Refuses what an endpoint has no business asking for.
private final class Refusals: NSObject, URLSessionTaskDelegate, Sendable {
    /// A redirected request arrives without its body, and its answer looks like success.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// There is no password to give, and on Linux a question for one that nobody refuses is never over. The check of the
    /// server's certificate stays the system's.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest:
            completionHandler(.rejectProtectionSpace, nil)
        default:
            completionHandler(.performDefaultHandling, nil)
        }
    }
}
