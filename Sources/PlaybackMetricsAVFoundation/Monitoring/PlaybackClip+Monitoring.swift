public import PlaybackMetricsClient

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
