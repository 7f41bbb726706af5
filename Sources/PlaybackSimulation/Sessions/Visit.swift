internal import PlaybackMetricsClient

/// One run of the app in the foreground, as it was drawn before anything plays.
struct Visit: Sendable {
    /// In ms since 1970.
    let begin: Int64
    /// Clips that the viewer comes to.
    let clips: Int
    let network: PlaybackNetwork
    let steadiness: Steadiness
    /// How the endpoint that takes the plays can be reached.
    let uplink: Uplink
    /// Whether the clips come from the device's own storage, on a flight.
    let isOffline: Bool
    /// Whether the edge tells its region.
    let tellsRegion: Bool
    /// Whether it goes on with the clip at which the app went to the background.
    let resumes: Bool
}

/// What happens to the requests of a sender for the length of a visit.
enum Uplink: Sendable, Hashable, CaseIterable {
    case open
    /// They don't get through: a filter knows the endpoint's name, or there is no network.
    case blocked
    /// A page that asks for a room number answers with a redirect.
    case portal
    /// A proxy answers itself that all is well.
    case swallowing
    /// They arrive, and now and then the answer gets lost on the way back.
    case lossy
}
