import PlaybackMetricsClient

/// What a player says of itself, as far as it matters to a play.
enum PlayerControl: Sendable, Hashable {
    /// It does not want to play.
    case paused
    /// It wants to play and waits for data.
    case waitingForData
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
        case .toMinimizeStalls, .evaluatingBufferingRate: .waitingForData
        case .noItemToPlay, .other, nil: .held
        }
    }

    /// What the meter is told. A player can say that it plays before its new item is ready: then it still loads.
    func status(itemIsReady: Bool) -> PlaybackStatus {
        switch self {
        case .paused, .held: .paused
        case .waitingForData: .stalled
        case .playing: itemIsReady ? .playing : .loading
        }
    }
}
