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
    /// The longest play: a longer one is closed there and opened anew, so that no figure is cut apart from another.
    public static let longestPlay = Duration.seconds(86_400)

    /// The clip.
    public let videoId: VideoID

    private let context: @Sendable () -> PlaybackContext
    private let ids: any PlayIDMaker
    private let memory: @Sendable () -> Int64?

    private var play: OpenPlay?
    private var last: PlaybackInstant?
    private var closing: Closing?
    private var presentation: PlaybackPresentation?
    /// Failed attempts in a row, where no session keeps them.
    private var failedAttempts = 0

    private struct OpenPlay: Sendable {
        var totals: PlayTotals
        var began: PlaybackInstant
        var context: PlaybackContext
        var edges = ServingEdges()
        var attempt: Int
        var measuresStartup: Bool
        var isReplay = false
        var isContinuation = false
    }

    /// Why the play before this one closed.
    private enum Closing: Sendable { case ended, failed, suspended, tooLong, stopped }

    /// A meter for one clip.
    ///
    /// - Parameters:
    ///   - videoId: the clip.
    ///   - ids: makes the play's id.
    ///   - memory: the app's memory footprint in bytes, sampled when a play closes.
    ///   - context: asked when a play begins and when it closes. Session, versions, device, player, source and tags are
    ///     those of the beginning; of CDN, region and network the last known value stands.
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

    /// What the open play does; `nil` when none is open.
    public var live: LivePlay? {
        play.map { LivePlay(videoId: videoId, conditions: $0.totals.conditions, stalls: $0.totals.stalls) }
    }

    /// What holds of the open play.
    var conditions: PlaybackConditions? { play?.totals.conditions }

    /// Whether the first frame of the open play has played.
    package var hasStarted: Bool { play?.totals.conditions.contains(.hasStarted) ?? false }

    /// Whether a seek of the open play goes on at an instant not before the last input.
    package func isSeeking(at instant: PlaybackInstant) -> Bool {
        play.map { $0.totals.isSeeking(at: instant.milliseconds(since: $0.began)) } ?? false
    }

    /// Milliseconds that the open play has played until an instant not before the last input, stalls left out.
    package func playedMilliseconds(at instant: PlaybackInstant) -> Int64 {
        guard var play else { return 0 }
        play.totals.advance(to: instant.milliseconds(since: play.began))
        return play.totals.watchedMs - play.totals.stalledMs
    }

    /// Takes one input.
    ///
    /// - Parameters:
    ///   - input: what happened.
    ///   - instant: when; an instant earlier than the last counts as the last.
    /// - Returns: the summary of the play that this input closed, else `nil`. Where nothing was said of a play for days,
    ///   this is the first of several: ``handleAll(_:at:)`` gives them all.
    /// - Complexity: O(1).
    @discardableResult
    public mutating func handle(_ input: PlaybackInput, at instant: PlaybackInstant) -> PlaybackSummary? {
        // The commonest case allocates no array.
        guard isTooLong(at: max(instant, last ?? instant)) else { return take(input, at: instant) }
        return handleAll(input, at: instant).first
    }

    /// Takes one input, and gives every summary that it closed: more than one only when a play lasted longer than
    /// ``longestPlay`` since the input before.
    ///
    /// - Complexity: O(days since the last input).
    public mutating func handleAll(_ input: PlaybackInput, at instant: PlaybackInstant) -> [PlaybackSummary] {
        let now = max(instant, last ?? instant)
        var closed: [PlaybackSummary] = []
        while isTooLong(at: now) { closed += [cut()].compactMap(\.self) }
        return closed + [take(input, at: now)].compactMap(\.self)
    }

    private mutating func take(_ input: PlaybackInput, at instant: PlaybackInstant) -> PlaybackSummary? {
        let now = max(instant, last ?? instant)
        last = now
        if case .presentation(let shown) = input { presentation = shown }
        if play == nil { begin(with: input, at: now) }
        guard var open = play else { return nil }
        // Taken out while it changes, so that nothing is copied.
        play = nil
        open.totals.advance(to: now.milliseconds(since: open.began))
        open.totals.apply(input)
        if case .edge(let edge) = input { open.edges.take(edge) }
        guard let closing = Self.closing(input) else {
            play = open
            return nil
        }
        return close(open, with: input, because: closing)
    }

    private mutating func begin(with input: PlaybackInput, at instant: PlaybackInstant) {
        let isPlay = input == .play
        guard isPlay || input == .status(.playing) else { return }
        let context = context()
        play = OpenPlay(
            totals: PlayTotals([], shownAs: presentation),
            began: instant,
            context: context,
            attempt: nextAttempt(in: context),
            measuresStartup: isPlay && (closing == nil || closing == .failed || closing == .stopped),
            isReplay: closing == .ended
        )
    }

    private func nextAttempt(in context: PlaybackContext) -> Int {
        let failed = context.session?.failures.count(of: videoId) ?? failedAttempts
        return min(failed + 1, ContractRange.attempt.upperBound)
    }

    private static func closing(_ input: PlaybackInput) -> Closing? {
        switch input {
        case .status(.failed): .failed
        case .status(.ended): .ended
        case .suspended: .suspended
        case .stop: .stopped
        default: nil
        }
    }

    // MARK: The end of a play

    private mutating func close(_ open: OpenPlay, with input: PlaybackInput, because: Closing) -> PlaybackSummary? {
        closing = because
        failedAttempts = because == .failed ? open.attempt : 0
        open.context.session?.failures.set(failedAttempts, of: videoId)
        // What was cut off, and never went on, has been told.
        if open.isContinuation, open.totals.watchedMs == 0, because != .failed { return nil }
        return summary(of: open, closedBy: input)
    }

    private func isTooLong(at now: PlaybackInstant) -> Bool {
        guard let play, play.totals.conditions.contains(.hasStarted) else { return false }
        return play.began.duration(to: now) > Self.longestPlay
    }

    /// Closes a play at its longest, and opens it anew there when it goes on.
    private mutating func cut() -> PlaybackSummary? {
        guard var open = play else { return nil }
        play = nil
        let end = open.began.advanced(by: Self.longestPlay)
        open.totals.advance(to: end.milliseconds(since: open.began))
        let wasTold = open.isContinuation && open.totals.watchedMs == 0
        let closed = wasTold ? nil : summary(of: open, closedBy: .stop)
        closing = .tooLong
        guard open.totals.conditions.contains(.wantsToPlay) else { return closed }
        open.totals = open.totals.continued()
        open.began = end
        open.context = context()
        open.edges = ServingEdges(open.edges.last)
        open.measuresStartup = false
        open.isReplay = false
        open.isContinuation = true
        play = open
        return closed
    }

    private func summary(of open: OpenPlay, closedBy input: PlaybackInput) -> PlaybackSummary {
        let totals = open.totals
        let hasStarted = totals.conditions.contains(.hasStarted)
        var summary = PlaybackSummary(videoId: videoId, playId: ids.makeID(), context: context(of: open))
        let startingMs = ContractRange.startupMs.clamp(totals.startingMs)
        summary.startupMs = hasStarted && open.measuresStartup ? startingMs : nil
        summary.waitedMs = hasStarted ? nil : startingMs
        summary.stalls = ContractRange.stalls.clamp(Int64(totals.stalls))
        summary.watchedMs = ContractRange.watchedMs.clamp(totals.watchedMs)
        summary.stalledMs = ContractRange.watchedMs.clamp(totals.stalledMs)
        summary.avgBitrate = totals.averageBitrate
        summary.bytes = totals.receivedBytes.map(ContractRange.bytes.clamp)
        summary.memoryBytes =
            (totals.memory ?? memory()).flatMap { ContractRange.memoryBytes.contains($0) ? $0 : nil }
        summary.accessLogStartupMs = totals.logStartup.map { ContractRange.startupMs.clamp(Int64($0)) }
        summary.playerStalls = totals.playerStalls.map { ContractRange.stalls.clamp($0.count) }
        summary.playerStalledMs = totals.playerStalls.map { ContractRange.watchedMs.clamp($0.milliseconds) }
        summary.attempt = open.attempt
        if case .status(.failed(let error)) = input { summary.error = error }
        return summary
    }

    /// The context of the beginning, with the edge and the network that served.
    private func context(of open: OpenPlay) -> PlaybackContext {
        var context = open.context
        let late = self.context()
        context.network = late.network ?? context.network
        let first = CDNEdge(cdn: context.cdn, region: context.cdnRegion)
        let asked = CDNEdge(cdn: late.cdn, region: late.cdnRegion)
        var edge = first.updated(with: asked)
        var count = first.isContradicted(by: asked) ? 2 : 1
        if let seen = open.edges.last {
            // What this play's own responses show is known better than what the app says.
            let isOtherCDN = seen.cdn != nil && edge.cdn != nil && seen.cdn != edge.cdn
            edge = isOtherCDN ? seen : edge.updated(with: seen)
            count = open.edges.count
        }
        context.cdn = edge.cdn
        context.cdnRegion = edge.region
        if let shown = open.totals.presentation { context.tags.presentation = shown }
        if open.isReplay { context.tags.set(.start, to: "replay") }
        if count > 1, let number = PlaybackLabel(String(count)) { context.tags.set(.edges, to: number) }
        return context
    }
}

/// What an open play does now, for whoever looks at the screen.
public struct LivePlay: Sendable, Hashable {
    /// What the viewer sees.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// The viewer waits for the first frame.
        case starting
        /// It plays.
        case playing
        /// The viewer waits for data.
        case stalled
        /// It stands still because the viewer or the app wants it to.
        case paused
        /// The viewer waits for another place of the clip.
        case seeking
    }

    /// The clip.
    public let videoId: VideoID
    /// What the viewer sees.
    public let state: State
    /// Stalls so far.
    public let stalls: Int

    init(videoId: VideoID, conditions: PlaybackConditions, stalls: Int) {
        self.videoId = videoId
        self.stalls = stalls
        state =
            if !conditions.contains(.wantsToPlay) {
                .paused
            } else if !conditions.contains(.hasStarted) {
                .starting
            } else if conditions.contains(.seeking) {
                .seeking
            } else {
                conditions.contains(.waiting) ? .stalled : .playing
            }
    }
}

/// The edges that served one play, by the evidence of its responses.
private struct ServingEdges: Sendable, Hashable {
    /// As many as are told apart: a figure for a tag, which nobody reads beyond that.
    static let most = 100

    /// The edge that served last; `nil` without evidence.
    private(set) var last: CDNEdge?
    private var distinct: Set<CDNEdge> = []

    /// A play that nothing is known of yet, or that goes on where another was cut off.
    init(_ edge: CDNEdge? = nil) {
        if let edge { take(edge) }
    }

    /// A response came from `edge`.
    mutating func take(_ edge: CDNEdge) {
        guard edge != CDNEdge() else { return }
        let isOtherCDN = edge.cdn != nil && edge.cdn != last?.cdn
        // The region of one CDN is none of another's; and what is learned of the same edge makes it no other one.
        let next = isOtherCDN && last?.cdn != nil ? edge : (last ?? CDNEdge()).updated(with: edge)
        if let last, !last.isContradicted(by: next) { distinct.remove(last) }
        if distinct.count < Self.most { distinct.insert(next) }
        last = next
    }

    /// How many edges served.
    var count: Int { distinct.count }
}
