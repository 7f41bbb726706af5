import Foundation

/// What an endpoint said to an empty batch: for the developer's first minute.
public struct EndpointCheck: Sendable, Hashable {
    /// Whether an endpoint of ours answered.
    public var isReachable = false
    /// Whether it took the write key; `nil`: it did not come to that.
    public var isKeyAccepted: Bool?
    /// How far the device's clock is ahead of the endpoint's, to about a second; `nil`: not known. Plays are dated right in
    /// any case.
    public var clockSkew: Duration?
    /// The version of the server; `nil`: not known.
    public var serverVersion: String?
    /// The status of the response; `nil`: none came.
    public var status: Int?
    /// What is wrong, and what to do; `nil` when plays can arrive.
    public var problem: String?

    /// Whether plays can arrive.
    public var isGood: Bool { problem == nil }
}

extension EndpointCheck: CustomStringConvertible {
    /// One line that says it all.
    public var description: String {
        if let problem { return "not verified: \(problem)" }
        let server = serverVersion.map { "server \($0)" } ?? "a server that does not tell its version"
        let skew = clockSkew.map { ", the device's clock is \($0.components.seconds) s ahead" } ?? ""
        return "verified: \(server) is reachable and takes the key\(skew)"
    }
}

extension PlaybackMetricsSender {
    /// Sends an empty batch, and says what the endpoint makes of it: whether it is reachable, takes the key, and goes by the
    /// same clock. Nothing of any play is sent, whatever waits.
    public func verify() async -> EndpointCheck {
        var check = EndpointCheck()
        let (sent, began) = (wallClock(), clock.now)
        let response: HTTPClientResponse
        do {
            response = try await http.post(BatchEncoder.empty)
        } catch {
            check.problem = SenderLog.line(on: error)
            return check
        }
        check.status = response.status
        if let date = response.date.flatMap(RetryAfter.parse) {
            // The response's date is cut to its second, and was written about half-way through.
            let middle = sent.addingTimeInterval((clock.now - began).inSeconds / 2)
            check.clockSkew = .milliseconds((middle.timeIntervalSince(date) - 0.5) * 1000)
        }
        let outcome = RequestOutcome(response, count: 1)
        switch outcome {
        case .delivered:
            check.isReachable = true
            check.isKeyAccepted = true
            check.serverVersion = EndpointResponse(response.body)?.version
        case .retry:
            check.isReachable = true
            check.problem = "status \(response.status): the endpoint can't take plays now. They are sent again later."
        default:
            if response.status == 401 || response.status == 403 {
                check.isReachable = true
                check.isKeyAccepted = false
            }
            check.problem = SenderLog.line(on: outcome, response.status)
        }
        return check
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
