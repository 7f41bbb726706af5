// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The player's own measurement, as of iOS 18.

@_exported import Foundation

open class AVMetricEvent: NSObject, @unchecked Sendable {}

public final class AVMetricPlayerItemStallEvent: AVMetricEvent, @unchecked Sendable {}
public final class AVMetricPlayerItemSeekEvent: AVMetricEvent, @unchecked Sendable {}

public final class AVMetricPlayerItemSeekDidCompleteEvent: AVMetricEvent, @unchecked Sendable {
    public let didSeekInBuffer: Bool
    public init(didSeekInBuffer: Bool) { self.didSeekInBuffer = didSeekInBuffer }
}

public final class AVAssetVariant: NSObject, @unchecked Sendable {
    public let peakBitRate: Double?
    public init(peakBitRate: Double?) { self.peakBitRate = peakBitRate }
}

public final class AVMetricPlayerItemVariantSwitchEvent: AVMetricEvent, @unchecked Sendable {
    public let toVariant: AVAssetVariant
    public let didSucceed: Bool

    public init(to peakBitRate: Double?, didSucceed: Bool = true) {
        toVariant = AVAssetVariant(peakBitRate: peakBitRate)
        self.didSucceed = didSucceed
    }
}

public final class AVMetricMediaResourceRequestEvent: AVMetricEvent, @unchecked Sendable {
    public let url: URL?
    public let serverAddress: String?
    public let networkTransactionMetrics: URLSessionTaskMetrics?
    public let wasReadFromCache: Bool

    public init(
        url: URL?, serverAddress: String? = nil, headers: [String: String]?, wasReadFromCache: Bool = false
    ) {
        self.wasReadFromCache = wasReadFromCache
        self.url = url
        self.serverAddress = serverAddress
        networkTransactionMetrics = headers.map(URLSessionTaskMetrics.init)
    }
}

public final class AVMetricHLSMediaSegmentRequestEvent: AVMetricEvent, @unchecked Sendable {
    public let mediaResourceRequestEvent: AVMetricMediaResourceRequestEvent?
    public init(_ request: AVMetricMediaResourceRequestEvent?) { mediaResourceRequestEvent = request }
}

public final class AVMetricPlayerItemPlaybackSummaryEvent: AVMetricEvent, @unchecked Sendable {
    public let stallCount: Int
    public let timeSpentRecoveringFromStall: TimeInterval
    public let timeSpentInInitialStartup: TimeInterval

    public init(stalls: Int, stalled: TimeInterval, startup: TimeInterval) {
        stallCount = stalls
        timeSpentRecoveringFromStall = stalled
        timeSpentInInitialStartup = startup
    }
}

// Foundation has these on Apple's systems.
public final class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    public let transactionMetrics: [URLSessionTaskTransactionMetrics]
    init(_ headers: [String: String]) { transactionMetrics = [URLSessionTaskTransactionMetrics(headers)] }
}

public final class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    public let response: URLResponse?
    init(_ headers: [String: String]) { response = HTTPURLResponse(headers) }
}

open class URLResponse: NSObject, @unchecked Sendable {}

public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public let allHeaderFields: [AnyHashable: Any]
    init(_ headers: [String: String]) { allHeaderFields = headers }
}

/// Where events of one type go.
struct MetricStream: Sendable {
    /// Whether the listener has asked for the next event, so that it is done with the ones before.
    let listener = Guarded<(asked: Int, told: Int, isOver: Bool)>((0, 0, false))
    var yield: @Sendable (AVMetricEvent) -> Bool
    var finish: @Sendable () -> Void

    var isIdle: Bool {
        let listener = listener.value
        return listener.isOver || listener.asked > listener.told
    }
}

@available(iOS 18, tvOS 18, macOS 15, visionOS 2, *)
public struct AVMetrics<MetricEvent: AVMetricEvent>: AsyncSequence {
    let events: AsyncThrowingStream<MetricEvent, any Error>
    let stream: MetricStream

    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: AsyncThrowingStream<MetricEvent, any Error>.AsyncIterator
        let stream: MetricStream

        public mutating func next() async throws -> MetricEvent? {
            stream.listener.update { $0.asked += 1 }
            return try await events.next()
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: events.makeAsyncIterator(), stream: stream)
    }
}

@available(iOS 18, tvOS 18, macOS 15, visionOS 2, *)
extension AVPlayerItem {
    public nonisolated func metrics<Event: AVMetricEvent>(forType type: Event.Type) -> AVMetrics<Event> {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: Event.self)
        let stream = MetricStream(
            yield: { event in
                guard let event = event as? Event else { return false }
                continuation.yield(event)
                return true
            }, finish: { continuation.finish(throwing: CancellationError()) })
        metricStreams.update { $0.append(stream) }
        return AVMetrics(events: events, stream: stream)
    }

    /// The player measures something.
    public nonisolated func measure(_ event: AVMetricEvent) {
        for stream in metricStreams.value {
            stream.listener.update { $0.told += 1 }
            if !stream.yield(event) { stream.listener.update { $0.told -= 1 } }
        }
    }

    /// Comes back when whoever listens is done with everything that was measured.
    public nonisolated func untilHeard() async {
        while !metricStreams.value.allSatisfy(\.isIdle) { await Task.yield() }
    }

    public nonisolated func endMetrics() {
        for stream in metricStreams.value {
            stream.listener.update { $0.isOver = true }
            stream.finish()
        }
    }
}
