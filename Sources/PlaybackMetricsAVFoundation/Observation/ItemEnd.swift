import PlaybackMetricsClient

/// Whether the end of an item is the end of its play: an automatic loop stays one play until the clip is let go.
enum ItemEnd {
    /// What the player does at the end of an item.
    enum Action: Sendable, Hashable {
        case advance, pause, none
    }

    /// - Parameters:
    ///   - action: what the player does now.
    ///   - clip: the clip that ended.
    ///   - next: the clip of the item that follows in the queue.
    static func closesPlay(_ action: Action, clip: VideoID, next: VideoID?) -> Bool {
        switch action {
        // A looper queues the same clip again.
        case .advance: next != clip
        case .pause: true
        // The app jumps back to the beginning itself.
        case .none: false
        }
    }
}
