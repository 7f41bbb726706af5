import Foundation
import PlaybackMetricsClient

/// Answers as it is told, and keeps every body.
final class ScriptedHTTPClient: HTTPClient, @unchecked Sendable {
    /// The script has no response left, or its response is that none comes.
    struct NoResponse: Error {}

    private let lock = NSLock()
    private var answers: [HTTPClientResponse?]
    private let otherwise: HTTPClientResponse?
    private var posted: [Data] = []

    /// - Parameters:
    ///   - answers: one a request; `nil`: none comes.
    ///   - otherwise: the response to every request after them.
    init(_ answers: [HTTPClientResponse?] = [], otherwise: HTTPClientResponse? = .status(202)) {
        self.answers = answers
        self.otherwise = otherwise
    }

    var bodies: [Data] { lock.withLock { posted } }

    func post(_ body: Data) async throws -> HTTPClientResponse {
        let answer = lock.withLock {
            posted.append(body)
            return answers.isEmpty ? otherwise : answers.removeFirst()
        }
        guard let answer else { throw NoResponse() }
        return answer
    }
}
