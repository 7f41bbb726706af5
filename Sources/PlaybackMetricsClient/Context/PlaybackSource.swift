/// Where a play's data came from.
public enum PlaybackSource: String, Sendable, Hashable, CaseIterable {
    /// From a CDN, over a network.
    case stream
    /// From the device's own storage: no CDN served it, and reports leave it out unless they are asked for it.
    case download
}
