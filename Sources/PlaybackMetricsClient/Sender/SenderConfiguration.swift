public import Foundation

/// Whether the viewer agrees to being measured. The app asks, remembers the answer, and tells the sender at every start.
public enum PlaybackConsent: String, Sendable, Hashable, CaseIterable {
    /// Not asked yet: plays wait in memory, nothing is sent, and nothing is written to disk.
    case pending
    /// Plays are sent.
    case granted
    /// Nothing is taken; what waits in memory and on disk is forgotten.
    case denied
}

/// Whether plays that wait survive the end of the app.
public enum PlaybackSpool: Sendable, Hashable {
    /// They live in memory only: what is unsent when the app is killed is lost, and the report says how much.
    case off
    /// They are kept in the caches, 256 KiB and `limit` plays (500 at most), and sent first in the next run.
    case caches(limit: Int)
}

/// The figures by which a sender works. The defaults are meant for apps.
public struct SenderConfiguration: Sendable, Hashable {
    /// The most summaries that wait, those on the wire included.
    public var capacity = 500
    /// The most summaries of one request; an endpoint takes 1,000.
    public var batchLimit = 100
    /// The time between two flushes.
    public var flushInterval = Duration.seconds(30)
    /// The most that the sender waits after its first failure in a row; it doubles with each.
    public var backoffBase = Duration.seconds(30)
    /// The most that it waits after any failure.
    public var backoffLimit = Duration.seconds(600)
    /// The most of a server's `Retry-After` that is believed.
    public var retryAfterLimit = Duration.seconds(3600)
    /// Whether the viewer agrees, as far as the app knows when it starts.
    public var consent = PlaybackConsent.granted
    /// The share of sessions that is measured, from 0 to 1. A session is measured whole or not at all, and its plays have
    /// the rate as tag `sample`.
    public var sampling = 1.0
    /// Whether plays that wait survive the end of the app.
    public var spool = PlaybackSpool.off
    /// The folder of the sender report (128 bytes: how many plays were made and given up) and of the spool, one for every
    /// endpoint; `nil`: nothing is written to disk, and what dies with the app is not even counted.
    public var folder = SenderConfiguration.cachesFolder

    /// The defaults.
    public init() {}

    /// A folder of the app's own in the caches, which no backup keeps; `nil` when the system names none.
    public static let cachesFolder: URL? = {
        let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appendingPathComponent("PlaybackMetrics", isDirectory: true)
            .appendingPathComponent(name.replacingOccurrences(of: "/", with: "_"), isDirectory: true)
    }()
}

extension SenderConfiguration {
    /// The same with every figure brought to what makes sense: at least one summary, a flush a second at most, no wait of
    /// more than a day.
    var sensible: SenderConfiguration {
        var sensible = self
        sensible.capacity = min(max(capacity, 1), 100_000)
        sensible.batchLimit = min(max(batchLimit, 1), 1000)
        sensible.flushInterval = min(max(flushInterval, .seconds(1)), .seconds(86_400))
        sensible.backoffLimit = min(max(backoffLimit, .zero), .seconds(86_400))
        sensible.backoffBase = min(max(backoffBase, .zero), sensible.backoffLimit)
        sensible.retryAfterLimit = min(max(retryAfterLimit, .zero), .seconds(86_400))
        sensible.sampling = sampling.isFinite ? min(max(sampling, 0), 1) : 1
        return sensible
    }

    /// The most plays that the spool keeps; 0: there is none.
    var spoolLimit: Int {
        switch spool {
        case .off: 0
        case .caches(let limit): min(max(limit, 0), 500)
        }
    }
}
