/// What an open play does now, for whoever looks at the screen.
public struct LivePlay: Sendable, Hashable {
    /// What the viewer sees.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// The viewer waits for the first frame.
        case starting
        /// It plays.
        case playing
        /// The viewer waits for data.
        case stalled
        /// It stands still because the viewer or the app wants it to.
        case paused
        /// The viewer waits for another place of the clip.
        case seeking
    }

    /// The clip.
    public let videoId: VideoID
    /// What the viewer sees.
    public let state: State
    /// Stalls so far.
    public let stalls: Int

    init(videoId: VideoID, conditions: PlaybackConditions, stalls: Int) {
        self.videoId = videoId
        self.stalls = stalls
        state =
            if !conditions.contains(.wantsToPlay) {
                .paused
            } else if !conditions.contains(.hasStarted) {
                .starting
            } else if conditions.contains(.seeking) {
                .seeking
            } else {
                conditions.contains(.waiting) ? .stalled : .playing
            }
    }
}
