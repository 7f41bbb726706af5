/// How long a play was watched in each presentation.
struct PresentationTimes: Sendable, Hashable {
    var current: PlaybackPresentation?
    private var inline: Int64 = 0
    private var fullscreen: Int64 = 0
    private var pip: Int64 = 0

    /// The play was watched for some more milliseconds as it is shown now.
    mutating func watch(milliseconds: Int64) {
        switch current {
        case .inline: inline += milliseconds
        case .fullscreen: fullscreen += milliseconds
        case .pip: pip += milliseconds
        case nil: break
        }
    }

    /// Where the play was watched longest (of equals the first: inline, fullscreen, pip); where it is shown now when it
    /// was not watched anywhere.
    var longest: PlaybackPresentation? {
        let most = max(inline, fullscreen, pip)
        if most == 0 { return current }
        return inline == most ? .inline : fullscreen == most ? .fullscreen : .pip
    }
}
