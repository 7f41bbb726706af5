/// The bytes of a play over the items that it plays in: a looper takes several by turns, and a second play of an item
/// begins with a log that is not empty.
struct ItemBytes: Sendable {
    private var total: [PlayerEvent.ItemID: Int64] = [:]
    private var before: [PlayerEvent.ItemID: Int64] = [:]

    /// A play begins: what the logs held until now is not its own, but for the log of an item that has not played yet.
    mutating func begin(keeping fresh: PlayerEvent.ItemID?) {
        before = total
        if let fresh { before[fresh] = nil }
    }

    /// An item's log holds so many bytes; `nil` when it does not know.
    mutating func set(_ bytes: Int64?, of item: PlayerEvent.ItemID) {
        if let bytes { total[item] = bytes }
    }

    /// Bytes of this play; `nil` when no log knows.
    var ofPlay: Int64? {
        total.isEmpty ? nil : total.reduce(0) { $0 + max(0, $1.value - (before[$1.key] ?? 0)) }
    }

    /// Bytes of this play beside what the log of `item` holds, less what that held before: add the log's last figure.
    func others(than item: PlayerEvent.ItemID) -> Int64 {
        let rest = total.reduce(0) { $1.key == item ? $0 : $0 + max(0, $1.value - (before[$1.key] ?? 0)) }
        return rest - (before[item] ?? 0)
    }
}
