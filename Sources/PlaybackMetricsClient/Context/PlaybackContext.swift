/// Under which circumstances a play began.
///
/// The meter asks for it once, when a play begins, and never again: a play belongs to the network and the session that it
/// began in, however late its summary is sent. Only the app knows which CDN and which of its edges serve the segments (from
/// a response header, the host's name, a steering decision), so it sets ``cdn`` and ``cdnRegion``.
public struct PlaybackContext: Sendable, Hashable {
    /// The run of the app in the foreground.
    public var session: SessionID?
    /// The kind of network.
    public var network: PlaybackNetwork?
    /// Who served the segments.
    public var cdn: PlaybackLabel?
    /// The edge region that served the segments.
    public var cdnRegion: PlaybackLabel?
    /// Whether the data came from a CDN or from the device's own storage.
    public var source: PlaybackSource?
    /// The app's version.
    public var appVersion: PlaybackLabel?
    /// The operating system's version.
    public var osVersion: PlaybackLabel?
    /// The model of the device, never a single device.
    public var deviceModel: PlaybackLabel?
    /// The kind of player.
    public var player: PlaybackLabel?
    /// How the player was obtained and shown, and the team's own dimensions.
    public var tags = PlaybackTags()

    /// A context of which nothing is known yet.
    public init() {}

    /// A context with the app, the operating system and the device that the process runs in filled in.
    ///
    /// - Parameter session: the run of the app in the foreground.
    public init(session: PlaybackSession) {
        self.session = session.id
        appVersion = DeviceFacts.current.appVersion
        osVersion = DeviceFacts.current.osVersion
        deviceModel = DeviceFacts.current.deviceModel
    }
}
