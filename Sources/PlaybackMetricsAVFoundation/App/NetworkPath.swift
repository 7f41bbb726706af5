import PlaybackMetricsClient

/// What the system says of the way to the network.
struct NetworkPath: Sendable, Hashable {
    var isConstrained = false
    var usesWiFi = false
    var usesCellular = false
    var usesWiredEthernet = false

    /// The kind of network: Low Data Mode before the interface, since it is what the app has to spare.
    var network: PlaybackNetwork {
        if isConstrained { return .constrained }
        if usesWiFi { return .wifi }
        if usesCellular { return .cellular }
        return usesWiredEthernet ? .ethernet : .other
    }
}
