/// Byte strings and a number for each: a hash table that only grows.
struct ByteTable {
    private struct Slot {
        var hash: UInt64 = 0
        var value: UInt32 = 0
        var offset: UInt32 = 0
        /// 0 marks an empty slot: no key is empty.
        var count: UInt32 = 0
    }

    /// Open addressing. The count is a power of two.
    private var slots = [Slot](repeating: Slot(), count: 64)
    private var arena: [UInt8] = []
    private(set) var count = 0

    /// The memory that it takes, in bytes.
    var bytes: Int { slots.count * MemoryLayout<Slot>.stride + arena.count }

    func value(of key: UnsafeRawBufferPointer, hash: UInt64) -> UInt32? {
        slots.withUnsafeBufferPointer { slots in
            var place = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
            while slots[place].count > 0 {
                if slots[place].hash == hash, isEqual(slots[place], key) { return slots[place].value }
                place = (place &+ 1) & (slots.count &- 1)
            }
            return nil
        }
    }

    private func isEqual(_ slot: Slot, _ key: UnsafeRawBufferPointer) -> Bool {
        arena.withUnsafeBytes { arena in
            let range = Int(slot.offset)..<Int(slot.offset) + Int(slot.count)
            return UnsafeRawBufferPointer(rebasing: arena[range]).hasSameBytes(as: key)
        }
    }

    /// Adds a key that is not there. Whoever adds keeps ``bytes`` below 4 GiB.
    mutating func add(_ key: UnsafeRawBufferPointer, hash: UInt64, value: UInt32) {
        if count * 2 >= slots.count { grow() }
        let slot = Slot(
            hash: hash, value: value, offset: UInt32(truncatingIfNeeded: arena.count),
            count: UInt32(truncatingIfNeeded: key.count))
        arena.append(contentsOf: key)
        count += 1
        put(slot)
    }

    private mutating func grow() {
        let full = slots
        slots = [Slot](repeating: Slot(), count: full.count * 2)
        for slot in full where slot.count > 0 { put(slot) }
    }

    private mutating func put(_ slot: Slot) {
        var place = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
        while slots[place].count > 0 { place = (place + 1) & (slots.count - 1) }
        slots[place] = slot
    }
}
