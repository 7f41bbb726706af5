import PlaybackMetricsClient

/// An item's access log, as far as it has been read: the player begins a new entry with every change of the server or the
/// variant, and goes on writing in the last one.
struct ItemLog: Sendable, Hashable {
    /// One entry; a negative figure is not known.
    struct Entry: Sendable, Hashable {
        var bytes: Int64 = -1
        /// In bit/s.
        var indicatedBitrate: Double = -1
        /// In seconds.
        var startupTime: Double = -1
        /// The host of the entry's address.
        var host: String?
        var serverAddress: String?

        /// What it shows of the edge.
        var evidence: EdgeEvidence { EdgeEvidence(serverAddress: serverAddress, host: host) }
    }

    /// The most bytes that a play can have: more is no count, and sums of a few of them overflow nothing.
    static let mostBytes = ContractRange.bytes.upperBound

    private(set) var entries: [Entry] = []

    init(_ entries: [Entry] = []) {
        read(entries)
    }

    /// The log was read once more: a count never falls, and what was known once stays known.
    mutating func read(_ newer: [Entry]) {
        for (index, entry) in newer.enumerated() {
            if index == entries.count { entries.append(entry) }
            entries[index].bytes = max(entries[index].bytes, entry.bytes)
            if entry.indicatedBitrate > 0 { entries[index].indicatedBitrate = entry.indicatedBitrate }
            if entry.startupTime >= 0 { entries[index].startupTime = entry.startupTime }
            entries[index].host = entry.host ?? entries[index].host
            entries[index].serverAddress = entry.serverAddress ?? entries[index].serverAddress
        }
    }

    /// Bytes received, at most ``mostBytes``; `nil` when no entry knows.
    var bytes: Int64? {
        let known = entries.map(\.bytes).filter { $0 >= 0 }
        return known.isEmpty ? nil : known.reduce(0) { min($0 + min($1, Self.mostBytes), Self.mostBytes) }
    }

    /// The player's account of the startup in ms, from the first entry that has one.
    var startupMs: Int? {
        let startup = entries.map(\.startupTime).first { (0..<86_400).contains($0) }
        return startup.map { Int(($0 * 1000).rounded()) }
    }

    /// The bitrate of an entry in bit/s; `nil` when it is not known.
    func bitrate(ofEntry index: Int) -> Double? {
        guard entries.indices.contains(index) else { return nil }
        let bitrate = entries[index].indicatedBitrate
        return bitrate > 0 && ContractRange.bitrate.contains(bitrate) ? bitrate : nil
    }
}

/// The access logs of the items that one clip plays in: a looper takes several by turns, and a second play of an item begins
/// with a log that is not empty.
struct PlayLogs: Sendable {
    /// From when on, in ms played, an entry of an item's log is the one that plays.
    private struct Span: Sendable {
        var item: PlayerEvent.ItemID
        var entry: Int
        var from: Int64
    }

    private var logs: [PlayerEvent.ItemID: ItemLog] = [:]
    private var before: [PlayerEvent.ItemID: Int64] = [:]
    private var spans: [Span] = []
    /// The item whose log tells the startup of the play; `nil` for a play that is not the item's first.
    private var startupItem: PlayerEvent.ItemID?

    /// A play begins in an item. What the logs held until now is not its own, but for the log of an item that has not played
    /// yet: what was loaded before belongs to its first play.
    mutating func begin(in item: PlayerEvent.ItemID, isFirst: Bool) {
        before = logs.compactMapValues(\.bytes)
        if isFirst { before[item] = nil }
        startupItem = isFirst ? item : nil
        spans = [Span(item: item, entry: lastEntry(of: item), from: 0)]
    }

    /// The play goes on in another item.
    mutating func goOn(in item: PlayerEvent.ItemID, played: Int64) {
        spans.append(Span(item: item, entry: lastEntry(of: item), from: played))
    }

    /// An item's log was read, when the play had played for so many ms.
    mutating func read(_ entries: [ItemLog.Entry], of item: PlayerEvent.ItemID, played: Int64) {
        logs[item, default: ItemLog()].read(entries)
        guard let last = spans.last, last.item == item, lastEntry(of: item) > last.entry else { return }
        spans.append(Span(item: item, entry: lastEntry(of: item), from: played))
    }

    /// What an item's log holds belongs to plays before this one, which only goes on in the last entry.
    mutating func leaveBehind(_ entries: [ItemLog.Entry], of item: PlayerEvent.ItemID) {
        logs[item, default: ItemLog()].read(entries)
        before[item] = logs[item]?.bytes
        if startupItem == item { startupItem = nil }
        if spans.last?.item == item { spans[spans.count - 1].entry = lastEntry(of: item) }
    }

    /// What an item's log held when a play before this one was told, which may have been after this one began.
    mutating func wasTold(_ entries: [ItemLog.Entry], of item: PlayerEvent.ItemID) {
        guard let told = ItemLog(entries).bytes else { return }
        before[item] = max(before[item] ?? 0, told)
    }

    private func lastEntry(of item: PlayerEvent.ItemID) -> Int { max(0, (logs[item]?.entries.count ?? 0) - 1) }

    /// Bytes of this play, at most ``ItemLog/mostBytes``; `nil` when no log knows.
    var bytes: Int64? {
        let known = logs.compactMapValues(\.bytes)
        guard !known.isEmpty else { return nil }
        return known.reduce(0) { min($0 + max(0, $1.value - (before[$1.key] ?? 0)), ItemLog.mostBytes) }
    }

    /// Whether the play is the first of its item, whose log and measurement tell of nothing else.
    var isItemsFirst: Bool { startupItem != nil }

    /// The player's account of the startup in ms.
    var startupMs: Int? { startupItem.flatMap { logs[$0]?.startupMs } }

    /// The bitrate in bit/s averaged over the time that each entry played, of a play that played for so many ms. An entry that
    /// learned its bitrate late has it from its beginning.
    func bitrate(played: Int64) -> Double? {
        var weighted = 0.0
        var milliseconds = 0.0
        for (index, span) in spans.enumerated() {
            let end = index + 1 < spans.count ? spans[index + 1].from : played
            guard end > span.from, let bitrate = logs[span.item]?.bitrate(ofEntry: span.entry) else { continue }
            weighted += bitrate * Double(end - span.from)
            milliseconds += Double(end - span.from)
        }
        return milliseconds > 0 ? weighted / milliseconds : nil
    }
}
