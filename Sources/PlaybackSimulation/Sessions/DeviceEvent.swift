internal import PlaybackMetricsClient

/// What happens on a device, in the order of its times: what drives the meter and the sender.
struct DeviceEvent: Sendable {
    enum Happening: Sendable {
        /// The app is started; a sender that keeps so many summaries.
        case launch(senderCapacity: Int)
        /// A visit begins.
        case foreground(Uplink)
        /// The viewer comes to a clip; its plays from now on stand in these circumstances.
        case clip(PlayStage)
        /// The viewer comes back to the clip at which the app went to the background: its next play stands in these.
        case circumstances(PlayStage)
        /// The player says something of the clip.
        case player(PlaybackInput)
        /// The visit is over; the app sends what it has, and stands still.
        case background
        /// The system ends the app in the background: what it had not sent is lost.
        case termination
    }

    /// In ms since 1970.
    let time: Int64
    let happening: Happening
}

/// The circumstances of the plays of a clip.
struct PlayStage: Sendable {
    var videoId: String
    var network: PlaybackNetwork?
    var cdn: String?
    var cdnRegion: String?
    var source: PlaybackSource
    var appVersion: String
    var osVersion: String
    var deviceModel: String
    var lifecycle: PlayerLifecycle
    var acquired: PlayerAcquisition
    var isPreloaded: Bool
    var isAutoplay: Bool
}
