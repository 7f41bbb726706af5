/// A set of hashes, of a capacity that is known beforehand.
struct HashSet {
    private var slots: [UInt64]

    init(capacity: Int) {
        var count = 64
        while count < 2 * capacity { count *= 2 }
        slots = [UInt64](repeating: 0, count: count)
    }

    /// Adds a hash.
    ///
    /// - Returns: whether it is new.
    mutating func insert(_ hash: UInt64) -> Bool {
        // 0 marks an empty slot.
        let hash = hash == 0 ? 1 : hash
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == hash { return false }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = hash
        return true
    }
}
