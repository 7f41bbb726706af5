import Foundation

/// One video of the feed.
public struct Clip: Identifiable, Hashable, Sendable {
    /// An identifier, never a title.
    public let id: String
    /// An HLS playlist.
    public let url: URL

    /// A video.
    public init(id: String, url: URL) {
        self.id = id
        self.url = url
    }
}

/// When a clip begins without being asked for.
public enum AutoplayPolicy: String, CaseIterable, Sendable {
    /// Whenever the viewer comes to it.
    case always
    /// Unless the network is mobile or in Low Data Mode.
    case unmetered
    /// Never: the viewer taps.
    case never
}
