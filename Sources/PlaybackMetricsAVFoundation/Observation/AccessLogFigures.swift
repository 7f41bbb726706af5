/// What an item's access log tells: summed over its entries, since the player begins a new one with every change of the
/// server or the address.
struct AccessLogFigures: Sendable, Hashable {
    /// One entry; a negative figure is not known.
    struct Entry: Sendable, Hashable {
        var bytes: Int64
        /// In bit/s.
        var indicatedBitrate: Double
        /// In seconds.
        var startupTime: Double
    }

    /// The most bytes that a play can have, a tebibyte: more is no count, and sums of a few of them overflow nothing.
    static let mostBytes = Int64(1) << 40

    /// Bytes received, at most ``mostBytes``; `nil` when no entry knows.
    let bytes: Int64?
    /// The latest bitrate in bit/s that is known.
    let bitrate: Double?
    /// The player's account of the startup in ms, from the first entry that has one.
    let startupMs: Int?

    init(_ entries: [Entry]) {
        let known = entries.map(\.bytes).filter { $0 >= 0 }
        bytes = known.isEmpty ? nil : known.reduce(0) { min($0 + min($1, Self.mostBytes), Self.mostBytes) }
        bitrate = entries.last { $0.indicatedBitrate > 0 }?.indicatedBitrate
        let startup = entries.map(\.startupTime).first { (0..<86_400).contains($0) }
        startupMs = startup.map { Int(($0 * 1000).rounded()) }
    }
}
