import PlaybackMetricsClient

/// What a player says of itself, as far as it matters to a play.
enum PlayerControl: Sendable, Hashable {
    /// It does not want to play.
    case paused
    /// It wants to play and fills its buffer.
    case waitingForData
    /// It wants to play and finds out how fast its buffer fills, as with every resume.
    case evaluating
    /// It wants to play and is held by something that is not data: an advertisement, the others who watch together.
    case held
    /// It plays.
    case playing

    /// Why a player waits.
    enum WaitingReason: Sendable, Hashable, CaseIterable {
        case toMinimizeStalls, evaluatingBufferingRate, noItemToPlay, other
    }

    /// A player that waits: for data when it fills its buffer or finds out how fast that goes; else it is held.
    static func waiting(_ reason: WaitingReason?) -> PlayerControl {
        switch reason {
        case .toMinimizeStalls: .waitingForData
        case .evaluatingBufferingRate: .evaluating
        case .noItemToPlay, .other, nil: .held
        }
    }

    /// Whether it would play if it could.
    var wantsToPlay: Bool {
        switch self {
        case .waitingForData, .evaluating, .playing: true
        case .paused, .held: false
        }
    }
}

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
        // Going on from here is asked for: a replay.
        case .pause, .none: true
        }
    }
}
