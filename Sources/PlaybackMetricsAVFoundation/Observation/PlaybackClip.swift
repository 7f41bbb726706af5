public import PlaybackMetricsClient

/// What the app knows of the clip in a player item.
public struct PlaybackClip: Sendable {
    /// The clip.
    public var videoId: VideoID
    /// Asked once for every play of the clip, when it begins.
    public var context: @Sendable () -> PlaybackContext

    /// A clip.
    public init(videoId: VideoID, context: @escaping @Sendable () -> PlaybackContext) {
        self.videoId = videoId
        self.context = context
    }

    /// The same clip, with what the item itself tells where the app says nothing.
    func completed(player: PlaybackLabel, source: PlaybackSource?) -> PlaybackClip {
        let context = context
        return PlaybackClip(videoId: videoId) {
            var context = context()
            if context.player == nil { context.player = player }
            if context.source == nil { context.source = source }
            return context
        }
    }
}
