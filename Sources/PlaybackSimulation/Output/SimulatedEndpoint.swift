package import Foundation
package import PlaybackMetricsClient
internal import Synchronization

/// Where the requests of simulated senders end.
package protocol SimulatedEndpoint: Sendable {
    /// Takes one request.
    ///
    /// - Parameter time: when it arrives, in ms since 1970 of the simulation.
    /// - Throws: anything, when no answer comes.
    func receive(_ body: Data, at time: Int64) async throws -> HTTPClientResponse
}

/// An endpoint that accepts everything and keeps it.
package final class RecordingEndpoint: SimulatedEndpoint {
    private let kept = Mutex<[RecordedRequest]>([])

    package init() {}

    package func receive(_ body: Data, at time: Int64) async throws -> HTTPClientResponse {
        kept.withLock { $0.append(RecordedRequest(receivedAt: time, body: body)) }
        return HTTPClientResponse(status: 202, body: Data(#"{"accepted":1,"rejected":[]}"#.utf8))
    }

    /// Everything received, in the order of its arrival; of what arrived in one ms, in the order of the bytes.
    package var requests: [RecordedRequest] {
        kept.withLock { $0 }.sorted { one, other in
            one.receivedAt == other.receivedAt
                ? one.body.lexicographicallyPrecedes(other.body) : one.receivedAt < other.receivedAt
        }
    }
}

/// The server, over HTTP, now.
package struct LiveEndpoint: SimulatedEndpoint {
    private let http: any HTTPClient

    package init(_ http: any HTTPClient) {
        self.http = http
    }

    package func receive(_ body: Data, at time: Int64) async throws -> HTTPClientResponse {
        let response: HTTPClientResponse
        do {
            response = try await http.post(body)
        } catch {
            // The simulated clock runs ahead of the server's: waiting has to be real to be of use.
            try await Task.sleep(for: .milliseconds(200))
            throw error
        }
        if let seconds = response.retryAfter.flatMap(Int.init), (1...60).contains(seconds) {
            try await Task.sleep(for: .seconds(seconds))
        }
        return response
    }
}

/// A request as the endpoint would have received it.
package struct RecordedRequest: Sendable {
    /// In ms since 1970.
    package let receivedAt: Int64
    package let body: Data

    /// The line that `qoe load` reads.
    package var line: Data {
        var line = Data("{\"receivedAt\":\(receivedAt),\"body\":".utf8)
        line.append(body)
        line.append(contentsOf: Array("}\n".utf8))
        return line
    }
}
