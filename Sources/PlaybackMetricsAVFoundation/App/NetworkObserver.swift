#if canImport(Network)
    import Dispatch
    import Network
    public import PlaybackMetricsClient

    /// Knows the kind of network that the device is on, for the contexts of plays.
    ///
    /// Not checked: the monitor is only told to begin and to end, by those who make and remove the observer.
    public final class NetworkObserver: @unchecked Sendable {
        private let monitor = NWPathMonitor()
        /// May be asked from any thread.
        private let known = Locked<PlaybackNetwork?>(nil)

        /// Observes from now on.
        public init() {
            monitor.pathUpdateHandler = { [weak self] path in self?.update(path) }
            monitor.start(queue: DispatchQueue(label: "PlaybackMetrics.network", qos: .utility))
        }

        deinit {
            monitor.cancel()
        }

        /// The kind of network now; `nil` until the system has told it.
        public var network: PlaybackNetwork? { known.withLock { $0 } }

        private func update(_ path: NWPath) {
            let network = NetworkPath(
                isConstrained: path.isConstrained,
                usesWiFi: path.usesInterfaceType(.wifi),
                usesCellular: path.usesInterfaceType(.cellular),
                usesWiredEthernet: path.usesInterfaceType(.wiredEthernet)
            ).network
            known.withLock { $0 = network }
        }
    }
#endif
