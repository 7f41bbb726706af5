import Foundation

/// The circumstances of a play.
///
/// The meter asks for them when a play begins and when it closes. Session, versions, device, player, source and tags are
/// those of the beginning, however late the summary is sent. CDN, region and network are those that served the play: the
/// edge is commonly learned from its first response, so the last known value stands, and `nil` erases nothing. The app sets
/// ``cdn`` and ``cdnRegion``, or reads them off responses (``EdgeEvidence``).
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

/// The kind of network that served a play.
public enum PlaybackNetwork: String, Sendable, Hashable, CaseIterable {
    /// Wi-Fi.
    case wifi
    /// A mobile network.
    case cellular
    /// Any network in Low Data Mode.
    case constrained
    /// A cable.
    case ethernet
    /// Anything else.
    case other
}

/// Where a play's data came from.
public enum PlaybackSource: String, Sendable, Hashable, CaseIterable {
    /// From a CDN, over a network.
    case stream
    /// From the device's own storage: no CDN served it, and reports leave it out unless they are asked for it.
    case download
}

/// What the process can know of the app and the device that it runs in: versions and the model, nothing that would tell
/// one device from another of its kind.
private struct DeviceFacts: Sendable {
    var appVersion: PlaybackLabel?
    var osVersion: PlaybackLabel?
    var deviceModel: PlaybackLabel?

    /// Read once: none of it changes while the process runs.
    static let current = DeviceFacts(
        appVersion: (Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String)
            .flatMap(PlaybackLabel.init),
        osVersion: version(ProcessInfo.processInfo.operatingSystemVersion),
        deviceModel: machine().flatMap(PlaybackLabel.init)
    )

    private static func version(_ version: OperatingSystemVersion) -> PlaybackLabel? {
        let patch = version.patchVersion == 0 ? "" : ".\(version.patchVersion)"
        return PlaybackLabel("\(version.majorVersion).\(version.minorVersion)\(patch)")
    }

    /// The kernel's name of the machine: `iPhone15,2` on a phone, the architecture elsewhere.
    private static func machine() -> String? {
        var names = utsname()
        guard uname(&names) == 0 else { return nil }
        return withUnsafeBytes(of: &names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
