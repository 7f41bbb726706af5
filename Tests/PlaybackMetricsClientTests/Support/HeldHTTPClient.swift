import Foundation
import PlaybackMetricsClient

/// Holds every request until the test answers it.
final class HeldHTTPClient: HTTPClient, @unchecked Sendable {
    struct NoResponse: Error {}

    private let lock = NSLock()
    private var requests: [CheckedContinuation<HTTPClientResponse, any Error>] = []
    private var posted: [Data] = []
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var bodies: [Data] { lock.withLock { posted } }

    func post(_ body: Data) async throws -> HTTPClientResponse {
        try await withCheckedThrowingContinuation { continuation in
            let ready = lock.withLock {
                posted.append(body)
                requests.append(continuation)
                let ready = watchers.filter { $0.count <= posted.count }
                watchers.removeAll { $0.count <= posted.count }
                return ready
            }
            for watcher in ready { watcher.continuation.resume() }
        }
    }

    /// Comes back when `count` requests have been made since the beginning.
    func untilPosted(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if posted.count >= count { return true }
                watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Answers the oldest request that waits; `nil`: no response comes.
    func answer(_ response: HTTPClientResponse?) {
        let request = lock.withLock { requests.isEmpty ? nil : requests.removeFirst() }
        if let response {
            request?.resume(returning: response)
        } else {
            request?.resume(throwing: NoResponse())
        }
    }
}
