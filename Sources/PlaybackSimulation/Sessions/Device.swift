internal import PlaybackMetricsClient

/// A viewer's device with the app on it, and when the viewer comes.
struct Device: Sendable {
    let region: EdgeRegion
    let model: DeviceModel
    let app: AppRelease
    let lifecycle: PlayerLifecycle
    let visits: [Visit]
    /// For what viewer, player and network do.
    let chance: Chance
    /// For what happens to the sender's requests, and for ids.
    let senderChance: Chance
}

/// A model of device.
struct DeviceModel: Sendable {
    /// As the system names it.
    let name: String
    let osVersion: String
    /// The app without any player, in bytes.
    let memory: Int64
    /// The networks that it is on, and how often.
    let networks: [(weight: Double, value: PlaybackNetwork)]

    private static let onTheMove: [(weight: Double, value: PlaybackNetwork)] = [
        (60, .wifi), (33, .cellular), (7, .constrained),
    ]
    private static let atHome: [(weight: Double, value: PlaybackNetwork)] = [
        (88, .wifi), (6, .cellular), (5, .ethernet), (1, .other),
    ]
    private static let inTheLivingRoom: [(weight: Double, value: PlaybackNetwork)] = [(60, .wifi), (40, .ethernet)]

    static let all: [(weight: Double, value: DeviceModel)] = [
        (22, DeviceModel("iPhone17,3", "26.5", 168, onTheMove)),
        (20, DeviceModel("iPhone16,1", "26.5", 161, onTheMove)),
        (17, DeviceModel("iPhone15,4", "26.4.1", 152, onTheMove)),
        (14, DeviceModel("iPhone14,5", "26.4.1", 140, onTheMove)),
        (9, DeviceModel("iPhone12,8", "18.7.2", 104, onTheMove)),
        (11, DeviceModel("iPad14,3", "26.5", 196, atHome)),
        (7, DeviceModel("AppleTV14,1", "26.4", 212, inTheLivingRoom)),
    ]

    private init(
        _ name: String, _ osVersion: String, _ megabytes: Int64,
        _ networks: [(weight: Double, value: PlaybackNetwork)]
    ) {
        self.name = name
        self.osVersion = osVersion
        memory = megabytes << 20
        self.networks = networks
    }
}

/// A version of the app.
struct AppRelease: Sendable {
    let version: String
    /// Whether it tells the meter the bytes that the player received.
    let countsBytes: Bool
    /// How many summaries its sender keeps.
    let senderCapacity: Int

    static let all: [(weight: Double, value: AppRelease)] = [
        (62, AppRelease(version: "5.2.0", countsBytes: true, senderCapacity: 500)),
        (27, AppRelease(version: "5.1.3", countsBytes: true, senderCapacity: 500)),
        // An old one, which did not yet read the access log and was sparing with memory.
        (11, AppRelease(version: "4.9.1", countsBytes: false, senderCapacity: 25)),
    ]
}
