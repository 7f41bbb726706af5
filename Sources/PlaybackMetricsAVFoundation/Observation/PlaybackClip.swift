public import PlaybackMetricsClient

/// What the app knows of the clip in a player item.
public struct PlaybackClip: Sendable {
    /// The clip.
    public var videoId: VideoID
    /// Asked on the main actor, when a play of the clip begins and when it closes.
    public var context: @MainActor @Sendable () -> PlaybackContext

    /// A clip.
    public init(videoId: VideoID, context: @escaping @MainActor @Sendable () -> PlaybackContext) {
        self.videoId = videoId
        self.context = context
    }

    /// The same clip, with what the item itself tells where the app says nothing.
    func tracked(player: PlaybackLabel, source: PlaybackSource?) -> TrackedClip {
        let context = context
        // What the app said last.
        let last = Locked(PlaybackContext())
        return TrackedClip(videoId: videoId) {
            // A player's metrics may go on any thread, where the app cannot be asked: then the last answer stands.
            guard var context = MainThread.value(context) else { return last.withLock { $0 } }
            if context.player == nil { context.player = player }
            if context.source == nil { context.source = source }
            last.withLock { $0 = context }
            return context
        }
    }
}

extension PlaybackClip {
    /// A clip, and what the app knows of its circumstances: asked when a play of it begins and when it closes.
    public init(
        _ videoId: VideoID, describe: @escaping @MainActor @Sendable (inout PlaybackContext) -> Void = { _ in }
    ) {
        self.init(videoId: videoId) {
            var context = PlaybackContext()
            describe(&context)
            return context
        }
    }

    /// The same clip, with session, versions, device and network where the app says nothing.
    func completed(
        in session: PlaybackSession, network: @escaping @MainActor @Sendable () -> PlaybackNetwork?
    ) -> PlaybackClip {
        let context = context
        return PlaybackClip(videoId: videoId) {
            var own = context()
            let usual = PlaybackContext(session: session)
            if own.session == nil { own.session = usual.session }
            if own.appVersion == nil { own.appVersion = usual.appVersion }
            if own.osVersion == nil { own.osVersion = usual.osVersion }
            if own.deviceModel == nil { own.deviceModel = usual.deviceModel }
            if own.network == nil { own.network = network() }
            return own
        }
    }
}
