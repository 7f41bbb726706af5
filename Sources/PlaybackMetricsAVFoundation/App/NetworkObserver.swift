#if canImport(Network)
    import Dispatch
    import Foundation
    import Network
    public import PlaybackMetricsClient

    /// Knows the kind of network that the device is on, for the contexts of plays.
    public final class NetworkObserver: @unchecked Sendable {
        // May be asked from any thread.
        private let monitor = NWPathMonitor()

        /// Observes from now on.
        public init() {
            monitor.start(queue: DispatchQueue(label: "PlaybackMetrics.network", qos: .utility))
        }

        deinit {
            monitor.cancel()
        }

        /// The kind of network now.
        public var network: PlaybackNetwork {
            let path = monitor.currentPath
            return NetworkPath(
                isConstrained: path.isConstrained,
                usesWiFi: path.usesInterfaceType(.wifi),
                usesCellular: path.usesInterfaceType(.cellular),
                usesWiredEthernet: path.usesInterfaceType(.wiredEthernet)
            ).network
        }
    }
#endif
