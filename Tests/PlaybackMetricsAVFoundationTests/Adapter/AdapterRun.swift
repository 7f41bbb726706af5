import AVFoundation
import PlaybackMetricsClient

@testable import PlaybackMetricsAVFoundation

/// A time that a test sets and any thread reads.
final class TestTime: @unchecked Sendable {
    private let lock = NSLock()
    private var stored = 0

    var milliseconds: Int {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    var instant: PlaybackInstant { PlaybackInstant(sinceOrigin: .milliseconds(milliseconds)) }
}

/// A player, its metrics, and the milliseconds at which something happens to it.
@MainActor
final class AdapterRun {
    let player: AVPlayer
    let recorded = InMemoryPlaybackMetrics()
    let time = TestTime()
    private(set) var metrics: AVPlayerMetrics?
    /// What the app knows now; asked by every clip.
    var context = PlaybackContext()
    private var names: [ObjectIdentifier: VideoID] = [:]
    private var items: [AVPlayerItem] = []

    init(
        _ player: AVPlayer = AVPlayer(), usesItemMetrics: Bool = false, summaryWait: Duration = .zero,
        into sink: (any PlaybackMetrics)? = nil,
        edge: @escaping @MainActor (EdgeEvidence) -> CDNEdge? = { _ in nil }
    ) {
        self.player = player
        var seams = AVPlayerMetrics.Seams()
        seams.now = { [time] in time.instant }
        seams.usesItemMetrics = usesItemMetrics
        seams.summaryWait = summaryWait
        metrics = AVPlayerMetrics(player: player, metrics: sink ?? recorded, edge: edge, seams: seams) {
            [unowned self] item in
            names[ObjectIdentifier(item)].map { PlaybackClip(videoId: $0) { [unowned self] in context } }
        }
    }

    var plays: [PlaybackSummary] { recorded.summaries }

    /// An item of a clip; `nil`: of none that is measured.
    func item(_ videoId: VideoID? = "v1") -> AVPlayerItem {
        let item = AVPlayerItem()
        item.asset = AVURLAsset(url: URL(string: "https://media.example.com/\(videoId?.text ?? "ad").m3u8")!)
        items.append(item)
        names[ObjectIdentifier(item)] = videoId
        return item
    }

    func at(_ milliseconds: Int) { time.milliseconds = milliseconds }

    /// Shows a clip that starts at 1,000 ms and is ready and plays at 1,500.
    func start(_ videoId: VideoID = "v1") -> AVPlayerItem {
        let item = item(videoId)
        player.replaceCurrentItem(with: item)
        at(1000)
        player.become(.waitingToPlayAtSpecifiedRate, .toMinimizeStalls)
        at(1500)
        item.become(.readyToPlay)
        player.become(.playing)
        return item
    }

    func wait(_ milliseconds: Int, _ reason: AVPlayer.WaitingReason = .toMinimizeStalls) {
        at(milliseconds)
        player.become(.waitingToPlayAtSpecifiedRate, reason)
    }

    func play(_ milliseconds: Int) {
        at(milliseconds)
        player.become(.playing)
    }

    func pause(_ milliseconds: Int) {
        at(milliseconds)
        player.become(.paused)
    }

    /// Lets the player go; every play is recorded then.
    func stop(_ milliseconds: Int) async -> [PlaybackSummary] {
        at(milliseconds)
        await metrics?.stop()
        return plays
    }

    func settle() async { await metrics?.settle() }

    /// The app forgets its metrics without a word.
    func forget() { metrics = nil }
}

extension NSError {
    static func failure(_ chain: (domain: String, code: Int)...) -> NSError {
        chain.reversed().reduce(nil as NSError?) { under, error in
            NSError(
                domain: error.domain, code: error.code, userInfo: under.map { [NSUnderlyingErrorKey: $0] } ?? [:])
        } ?? NSError(domain: "none", code: 0)
    }

    static let empty = failure(("AVFoundationErrorDomain", -11800))
}
