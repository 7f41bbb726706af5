/// The kind of network that a play began on.
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
