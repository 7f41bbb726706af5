internal import Glibc

/// Byte strings and a number for each: a hash table that only grows.
struct ByteTable {
    private struct Entry {
        var hash: UInt64
        var value: Int64
        var offset: Int
        var count: Int
    }

    /// Open addressing: the index of an entry, −1 where there is none. The count is a power of two.
    private var slots = [Int32](repeating: -1, count: 64)
    private var entries: [Entry] = []
    private var arena: [UInt8] = []

    var count: Int { entries.count }

    /// The memory that it takes, in bytes.
    var bytes: Int { slots.count * 4 + entries.count * MemoryLayout<Entry>.stride + arena.count }

    func value(of key: UnsafeRawBufferPointer, hash: UInt64) -> Int64? {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash, isEqual(entry, key) { return entry.value }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func isEqual(_ entry: Entry, _ key: UnsafeRawBufferPointer) -> Bool {
        entry.count == key.count
            && arena.withUnsafeBytes { arena in
                guard let one = arena.baseAddress, let other = key.baseAddress else { return key.isEmpty }
                return memcmp(one + entry.offset, other, entry.count) == 0
            }
    }

    /// Adds a key that is not there.
    mutating func add(_ key: UnsafeRawBufferPointer, hash: UInt64, value: Int64) {
        if entries.count * 2 >= slots.count { grow() }
        entries.append(Entry(hash: hash, value: value, offset: arena.count, count: key.count))
        arena.append(contentsOf: key)
        put(Int32(truncatingIfNeeded: entries.count - 1))
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 2)
        for index in entries.indices { put(Int32(truncatingIfNeeded: index)) }
    }

    private mutating func put(_ index: Int32) {
        var slot = Int(truncatingIfNeeded: entries[Int(index)].hash) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = index
    }
}
