internal import PlaybackMetricsClient

/// The kinds of network that devices are on, and the app's caps for each.
struct AccessNetwork: Sendable {
    /// Throughput in bit/ms, in the median.
    let throughput: Double
    /// How much viewers differ: the deviation of the logarithm.
    let throughputSpread: Double
    /// To the operator's network and back, in ms, in the median.
    let roundTrip: Double
    /// The most that the app lets its player use, in bit/s.
    let bitrateCap: Int

    init(_ network: PlaybackNetwork) {
        self =
            switch network {
            case .wifi: Self(throughput: 17_000, throughputSpread: 0.7, roundTrip: 18, bitrateCap: 2_000_000)
            case .cellular: Self(throughput: 7_500, throughputSpread: 0.75, roundTrip: 48, bitrateCap: 800_000)
            case .constrained: Self(throughput: 4_500, throughputSpread: 0.75, roundTrip: 52, bitrateCap: 400_000)
            case .ethernet: Self(throughput: 60_000, throughputSpread: 0.4, roundTrip: 5, bitrateCap: 2_000_000)
            case .other: Self(throughput: 10_000, throughputSpread: 0.8, roundTrip: 30, bitrateCap: 2_000_000)
            }
    }

    private init(throughput: Double, throughputSpread: Double, roundTrip: Double, bitrateCap: Int) {
        self.throughput = throughput
        self.throughputSpread = throughputSpread
        self.roundTrip = roundTrip
        self.bitrateCap = bitrateCap
    }
}

/// How steady a device's network is for the length of a session. Stalls cluster in the sessions of an unsteady one.
enum Steadiness: Sendable {
    case steady
    /// A crowded Wi-Fi, a train: deep fades now and then.
    case shaky
    /// The edge of coverage: long fades, and no network at all at times.
    case poor

    /// The chance that the next spell is a fade.
    var fades: Double {
        switch self {
        case .steady: 0.006
        case .shaky: 0.09
        case .poor: 0.2
        }
    }

    /// The mean length of a fade, in ms.
    var fadeLength: Double {
        switch self {
        case .steady: 2_500
        case .shaky: 9_000
        case .poor: 16_000
        }
    }

    /// The chance that a fade takes the network away.
    var outages: Double {
        switch self {
        case .steady: 0.02
        case .shaky: 0.04
        case .poor: 0.12
        }
    }
}
