/// How the video is shown: the tag `presentation` says where a play was watched longest.
public enum PlaybackPresentation: String, Sendable, Hashable, CaseIterable {
    /// In the app's own page.
    case inline
    /// Over the whole screen.
    case fullscreen
    /// In Picture in Picture.
    case pip
}
