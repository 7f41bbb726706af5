internal import PlaybackEvents

/// Where a play of a batch goes: its table, and its key in it.
struct PlayKey: Comparable {
    private var hour: Int64
    private var id: Identifier128
    /// The play's place in the batch.
    private(set) var index: Int32

    init(_ play: StoredPlay, closed: Int64, index: Int) {
        // No hour comes near the step between the tables.
        hour = PlayHour(of: play.endedAt).number + (play.isDelayed(closed: closed) ? 1 << 40 : 0)
        id = play.id
        self.index = Int32(truncatingIfNeeded: index)
    }

    static func < (one: PlayKey, other: PlayKey) -> Bool {
        if one.hour != other.hour { return one.hour < other.hour }
        return one.id.high != other.id.high ? one.id.high < other.id.high : one.id.low < other.id.low
    }
}
