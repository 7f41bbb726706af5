/// Turns what one player says of one clip into one summary a play.
///
/// A value without a clock: every input comes with its instant. A play begins with ``PlaybackInput/play`` or with a first
/// `playing`, and closes with the first of `ended`, `failed`, ``PlaybackInput/suspended`` and ``PlaybackInput/stop``; the
/// input that closes it returns its summary. The next `play` or `playing` begins another play of the same clip.
///
/// ```swift
/// var meter = PlaybackMeter(videoId: "v1") { PlaybackContext(session: session) }
/// meter.handle(.play, at: .now)
/// meter.handle(.status(.playing), at: .now)
/// if let summary = meter.handle(.stop, at: .now) { metrics.record(summary) }
/// ```
public struct PlaybackMeter: Sendable {
    /// The clip.
    public let videoId: VideoID

    private let context: @Sendable () -> PlaybackContext
    private let ids: any PlayIDMaker
    private let memory: @Sendable () -> Int64?

    private var play: OpenPlay?
    private var last: PlaybackInstant?
    private var closing: Closing?
    private var attempt = 0
    private var presentation: PlaybackPresentation?

    private struct OpenPlay: Sendable {
        var tally: PlayTally
        let began: PlaybackInstant
        let context: PlaybackContext
        let measuresStartup: Bool
    }

    /// Why the play before this one closed.
    private enum Closing: Sendable { case failed, suspended, other }

    /// A meter for one clip.
    ///
    /// - Parameters:
    ///   - videoId: the clip.
    ///   - ids: makes the play's id.
    ///   - memory: the app's memory footprint in bytes, sampled when a play closes.
    ///   - context: asked once for every play, when it begins.
    public init(
        videoId: VideoID,
        ids: any PlayIDMaker = TimeOrderedIDs.shared,
        memory: @escaping @Sendable () -> Int64? = MemoryFootprint.current,
        context: @escaping @Sendable () -> PlaybackContext
    ) {
        self.videoId = videoId
        self.ids = ids
        self.memory = memory
        self.context = context
    }

    /// Whether a play has begun and is not closed yet.
    public var isPlayOpen: Bool { play != nil }

    /// What holds of the open play.
    var conditions: PlaybackConditions? { play?.tally.conditions }

    /// Takes one input.
    ///
    /// - Parameters:
    ///   - input: what happened.
    ///   - instant: when; an instant earlier than the last counts as the last.
    /// - Returns: the summary of the play that this input closed, else `nil`.
    /// - Complexity: O(1).
    @discardableResult
    public mutating func handle(_ input: PlaybackInput, at instant: PlaybackInstant) -> PlaybackSummary? {
        let now = max(instant, last ?? instant)
        last = now
        if case .presentation(let shown) = input { presentation = shown }
        if play == nil { begin(with: input, at: now) }
        guard var open = play else { return nil }
        // Taken out while it changes, so that nothing is copied.
        play = nil
        open.tally.advance(to: now.milliseconds(since: open.began))
        open.tally.apply(input)
        guard let closing = Self.closing(input) else {
            play = open
            return nil
        }
        self.closing = closing
        return summary(of: open, closedBy: input)
    }

    private mutating func begin(with input: PlaybackInput, at instant: PlaybackInstant) {
        let isPlay = input == .play
        guard isPlay || input == .status(.playing) else { return }
        attempt = closing == .failed ? min(attempt + 1, ContractRange.attempt.upperBound) : 1
        play = OpenPlay(
            tally: PlayTally([], shownAs: presentation),
            began: instant,
            context: context(),
            measuresStartup: isPlay && closing != .suspended
        )
    }

    private static func closing(_ input: PlaybackInput) -> Closing? {
        switch input {
        case .status(.failed): .failed
        case .suspended: .suspended
        case .status(.ended), .stop: .other
        default: nil
        }
    }

    private func summary(of open: OpenPlay, closedBy input: PlaybackInput) -> PlaybackSummary {
        let tally = open.tally
        let hasStarted = tally.conditions.contains(.hasStarted)
        var summary = PlaybackSummary(videoId: videoId, playId: ids.makeID(), context: open.context)
        summary.startupMs = hasStarted && open.measuresStartup ? ContractRange.startupMs.clamp(tally.startingMs) : nil
        summary.waitedMs = hasStarted ? nil : ContractRange.startupMs.clamp(tally.startingMs)
        summary.stalls = ContractRange.stalls.clamp(Int64(tally.stalls))
        summary.watchedMs = ContractRange.watchedMs.clamp(tally.watchedMs)
        summary.stalledMs = ContractRange.watchedMs.clamp(tally.stalledMs)
        summary.avgBitrate = tally.bitrate.average
        summary.bytes = tally.bytes.map(ContractRange.bytes.clamp)
        summary.memoryBytes = (tally.memory ?? memory()).flatMap { ContractRange.memoryBytes.contains($0) ? $0 : nil }
        summary.accessLogStartupMs = tally.logStartup.map { ContractRange.startupMs.clamp(Int64($0)) }
        summary.attempt = attempt
        if case .status(.failed(let error)) = input { summary.error = error }
        if let longest = tally.shown.longest { summary.context.tags.presentation = longest }
        return summary
    }
}
