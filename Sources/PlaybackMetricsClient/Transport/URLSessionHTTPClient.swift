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
