internal import Glibc
internal import PlaybackEvents
internal import SQLite

/// Numbers for values that many rows share: a table of the database with a cache before it.
///
/// A value gets a new number when the cache does not know it, so a value that comes back after long may have two: whoever
/// reads compares the values, never the numbers of different rows. That keeps the table free of an index (over random texts
/// it would be the slowest part of all) and the memory bounded, whatever clients send.
struct TextDictionary {
    let statements: DictionaryStatements
    /// Values that the table does not have yet.
    private var additions: DictionaryAdditions
    private let hash: SeededHash

    /// Two generations: when the young one is full, it takes the place of the old one.
    private var young = ByteTable()
    private var old = ByteTable()
    private let generationBytes: Int

    private var next: Int64 = 1
    /// The last value asked for: the plays of a request mostly share theirs.
    private var last: (key: [UInt8], id: UInt32) = ([], 0)

    /// - Parameter cacheBytes: the memory that the cache may take.
    init(
        _ table: DictionaryTable, on connection: SQLiteConnection, hash: SeededHash, cacheBytes: Int
    ) throws(SQLiteError) {
        statements = try DictionaryStatements(table, on: connection)
        additions = DictionaryAdditions(statements: statements)
        self.hash = hash
        generationBytes = cacheBytes / 2
        try reload()
    }

    /// Begins anew with what the table has: the newest values, so that a restart gives them no second number.
    mutating func reload() throws(SQLiteError) {
        var warm = ByteTable()
        let most = generationBytes / 2
        try statements.forEachRecent { id, key in
            key.withUnsafeBytes { key in
                let hash = hash(key)
                guard let id = UInt32(exactly: id), warm.value(of: key, hash: hash) == nil else { return }
                warm.add(key, hash: hash, value: id)
            }
            return warm.bytes < most
        }
        young = warm
        old = ByteTable()
        additions.values = []
        last = ([], 0)
        next = try statements.last() &+ 1
    }

    /// The number of a value, from 1; nil when there are no more numbers.
    mutating func id(of key: UnsafeRawBufferPointer) -> UInt32? {
        if isLast(key) { return last.id }
        guard let id = cached(key, hash(key)) else { return nil }
        last.key.removeAll(keepingCapacity: true)
        last.key.append(contentsOf: key)
        last.id = id
        return id
    }

    private func isLast(_ key: UnsafeRawBufferPointer) -> Bool {
        last.key.withUnsafeBytes { $0.hasSameBytes(as: key) }
    }

    private mutating func cached(_ key: UnsafeRawBufferPointer, _ hash: UInt64) -> UInt32? {
        if let id = young.value(of: key, hash: hash) { return id }
        if young.bytes > generationBytes {
            old = young
            young = ByteTable()
        }
        let id: UInt32
        if let known = old.value(of: key, hash: hash) {
            id = known
        } else {
            // Readers take them for signed numbers of 32 bits.
            guard let new = Int32(exactly: next).map(UInt32.init(bitPattern:)) else { return nil }
            id = new
            next += 1
            additions.values.append((Int64(new), [UInt8](key)))
        }
        young.add(key, hash: hash, value: id)
        return id
    }

    /// Hands over the values that the table does not have yet.
    mutating func takeAdditions() -> DictionaryAdditions {
        defer { additions.values = [] }
        return additions
    }
}

extension UnsafeRawBufferPointer {
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let one = baseAddress, let two = other.baseAddress else { return false }
        return memcmp(one, two, count) == 0
    }
}

/// Values that one dictionary's table does not have yet.
struct DictionaryAdditions {
    let statements: DictionaryStatements
    var values: [(id: Int64, key: [UInt8])] = []

    func write() throws(SQLiteError) {
        for (id, key) in values { try statements.insert(id, key: key) }
    }
}

/// Byte strings and a number for each: a hash table that only grows.
private struct ByteTable {
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
            var position = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
            while slots[position].count > 0 {
                if slots[position].hash == hash, isEqual(slots[position], key) { return slots[position].value }
                position = (position &+ 1) & (slots.count &- 1)
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
        var position = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
        while slots[position].count > 0 { position = (position + 1) & (slots.count - 1) }
        slots[position] = slot
    }
}
