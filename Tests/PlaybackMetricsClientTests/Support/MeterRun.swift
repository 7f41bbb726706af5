import PlaybackMetricsClient
import Testing

/// A meter, and the milliseconds at which it is told things.
struct MeterRun {
    private(set) var meter: PlaybackMeter
    /// Every summary so far.
    private(set) var summaries: [PlaybackSummary] = []

    init(memory: Int64? = nil, context: @escaping @Sendable () -> PlaybackContext = { PlaybackContext() }) {
        meter = PlaybackMeter(videoId: "v1", ids: NumberedIDs(), memory: { memory }, context: context)
    }

    /// Tells the meter several things at one time.
    @discardableResult
    mutating func at(_ milliseconds: Int, _ inputs: PlaybackInput...) -> PlaybackSummary? {
        var closed: PlaybackSummary?
        for input in inputs {
            closed = meter.handle(input, at: PlaybackInstant(sinceOrigin: .milliseconds(milliseconds))) ?? closed
        }
        if let closed { summaries.append(closed) }
        return closed
    }

    /// Tells the meter something that must close a play.
    mutating func close(_ milliseconds: Int, _ input: PlaybackInput) throws -> PlaybackSummary {
        let closed = at(milliseconds, input)
        return try #require(closed)
    }
}

extension PlaybackMeter {
    /// Tells the meter something that must close a play.
    mutating func close(with input: PlaybackInput, at instant: PlaybackInstant) throws -> PlaybackSummary {
        let closed = handle(input, at: instant)
        return try #require(closed)
    }
}

extension PlaybackInput {
    static let loading = PlaybackInput.status(.loading)
    static let playing = PlaybackInput.status(.playing)
    static let stalled = PlaybackInput.status(.stalled)
    static let paused = PlaybackInput.status(.paused)
    static let ended = PlaybackInput.status(.ended)
    static let failed = PlaybackInput.status(.failed(.decoding))
}

extension PlaybackError {
    static let decoding = PlaybackError(domain: "AVFoundationErrorDomain", code: -11821)
}
