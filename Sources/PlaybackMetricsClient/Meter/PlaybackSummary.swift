public import Foundation

/// One play, from the request to play until the player lets the clip go: all that is ever sent of it.
///
/// The meter makes it. An app with a player of its own can also fill one in; a summary with figures that no play can
/// have (negative ones, more time stalled than watched) is dropped by the sender and counted.
public struct PlaybackSummary: Sendable, Hashable {
    /// The clip.
    public var videoId: VideoID
    /// The key that makes sending twice harmless, one for every play.
    public var playId: UUID
    /// From the request to play to the first frame in ms; 0: at once; `nil`: it never started, or nobody measured it.
    public var startupMs: Int?
    /// Waits for data after the first frame, those that a seek caused left out.
    public var stalls = 0
    /// Time in those waits in ms.
    public var stalledMs = 0
    /// Time from the first frame to the end, playing or stalled, in ms; paused, seeking and suspended time left out.
    public var watchedMs = 0
    /// Bitrate in bit/s, averaged over the playing time; `nil`: not known.
    public var avgBitrate: Double?
    /// The fatal error that ended the play.
    public var error: PlaybackError?
    /// Bytes received for the play; `nil`: not known.
    public var bytes: Int64?
    /// The app's memory footprint in bytes when the play closed; `nil`: not known.
    public var memoryBytes: Int64?
    /// For a play that never started: how long the viewer waited, in ms.
    public var waitedMs: Int?
    /// The player's own account of the startup in ms: a cross-check of ``startupMs``.
    public var accessLogStartupMs: Int?
    /// The player's own count of its stalls: a cross-check of ``stalls``.
    public var playerStalls: Int?
    /// The player's own account of the time in its stalls in ms: a cross-check of ``stalledMs``.
    public var playerStalledMs: Int?
    /// 1, or which attempt after failed ones this play is.
    public var attempt = 1

    // Behind a reference, so that keeping a summary does not copy a dozen texts.
    private var shared: SharedContext

    /// The circumstances of the play: those in which it began, with the edge and the network that served it.
    public var context: PlaybackContext {
        get { shared.context }
        set { shared = SharedContext(newValue) }
    }

    /// A play of which nothing is known but the clip.
    public init(videoId: VideoID, playId: UUID, context: PlaybackContext = PlaybackContext()) {
        self.videoId = videoId
        self.playId = playId
        shared = SharedContext(context)
    }
}

/// A context that summaries share.
private final class SharedContext: Sendable, Hashable {
    let context: PlaybackContext

    init(_ context: PlaybackContext) {
        self.context = context
    }

    static func == (one: SharedContext, other: SharedContext) -> Bool {
        one === other || one.context == other.context
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(context)
    }
}

/// The ranges of figures that an endpoint accepts. The meter cuts what it measures to them, so that a play of more than a
/// day still counts; what a player tells of itself beyond them is not known.
package enum ContractRange {
    package static let startupMs = 0...3_600_000
    package static let watchedMs = 0...86_400_000
    package static let stalls = 0...100_000
    package static let attempt = 1...100
    package static let bitrate = 0...1_000_000_000.0
    package static let bytes = 0...(Int64(1) << 40)
    package static let memoryBytes = 0...(Int64(1) << 53)
    package static let age = 0...(Int64(1) << 53)
}

extension ClosedRange where Bound: FixedWidthInteger {
    /// The nearest number of the range.
    func clamp(_ value: Int64) -> Bound {
        Swift.min(Swift.max(Bound(clamping: value), lowerBound), upperBound)
    }
}
