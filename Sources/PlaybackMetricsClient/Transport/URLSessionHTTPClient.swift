public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts over `URLSession`: one ephemeral session, without cookies or cache, that follows no redirect.
public final class URLSessionHTTPClient: HTTPClient {
    /// Why no response came.
    public enum Failure: Error, Sendable, Hashable {
        /// It did not come in time.
        case deadline
        /// What answered does not speak HTTP.
        case notHTTP
    }

    private let endpoint: URL
    private let authorization: String?
    private let deadline: Duration
    private let clock: any SenderClock
    private let sessions: RenewedSession

    /// A client of one endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: where to post, such as `https://metrics.example.com/v1/playback-events`.
    ///   - writeKey: sent as `Authorization: Bearer`; `nil` for an endpoint without keys.
    ///   - deadline: from the beginning of a request to the end of its response.
    ///   - clock: measures the deadline.
    public init(
        endpoint: URL, writeKey: String? = nil, deadline: Duration = .seconds(30),
        clock: any SenderClock = SystemSenderClock()
    ) {
        self.endpoint = endpoint
        authorization = writeKey.map { "Bearer \($0)" }
        self.deadline = deadline
        self.clock = clock
        sessions = RenewedSession(timeout: deadline)
    }

    /// Posts a body of `application/json` to the endpoint.
    ///
    /// - Throws: ``Failure`` or the system's `URLError`, when no response came.
    public func post(_ body: Data) async throws -> HTTPClientResponse {
        var request = URLRequest(url: endpoint)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        // In the place of the system's own, which tell the app's build, the kernel and the languages of the device.
        request.setValue("PlaybackMetrics", forHTTPHeaderField: "User-Agent")
        request.setValue("*", forHTTPHeaderField: "Accept-Language")
        if let authorization { request.setValue(authorization, forHTTPHeaderField: "Authorization") }
        let race = FirstOfTwo<HTTPClientResponse>()
        let session = sessions.begin(request) { race.settle($0) }
        // A request that is starting must not be cancelled on Linux: the process hangs or crashes. So the deadline only
        // stops the waiting, and the request is left to itself.
        let alarm = Task { [clock, deadline, sessions] in
            try await clock.sleep(for: deadline)
            if race.settle(.failure(Failure.deadline)) { sessions.lost(in: session) }
        }
        defer { alarm.cancel() }
        return try await race.value
    }
}

/// One session for all requests, until three of them have been lost in it: then a new one.
///
/// A lost request may hold its connection, and a place among the session's few, for ever.
private final class RenewedSession: Sendable {
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
    /// A redirected request arrives without its body, and its response looks like success.
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
