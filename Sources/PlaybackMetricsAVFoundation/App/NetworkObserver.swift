#if canImport(Network)
    import Dispatch
    import Foundation
    import Network
    public import PlaybackMetricsClient

    /// Knows the kind of network that the device is on, for the contexts of plays.
    public final class NetworkObserver: @unchecked Sendable {
        // May be asked from any thread.
        private let lock = NSLock()
        private let monitor = NWPathMonitor()
        private var known: PlaybackNetwork?

        /// Observes from now on.
        public init() {
            monitor.pathUpdateHandler = { [weak self] path in self?.update(path) }
            monitor.start(queue: DispatchQueue(label: "PlaybackMetrics.network", qos: .utility))
        }

        deinit {
            monitor.cancel()
        }

        /// The kind of network now; `nil` until the system has told it.
        public var network: PlaybackNetwork? { lock.withLock { known } }

        private func update(_ path: NWPath) {
            let network = NetworkPath(
                isConstrained: path.isConstrained,
                usesWiFi: path.usesInterfaceType(.wifi),
                usesCellular: path.usesInterfaceType(.cellular),
                usesWiredEthernet: path.usesInterfaceType(.wiredEthernet)
            ).network
            lock.withLock { known = network }
        }
    }
#endif
