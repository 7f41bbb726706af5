internal import Platform
internal import PlaybackEvents
internal import SQLite

/// Numbers for values that many rows share: what a table of the database does not have yet, and a cache of what it has.
///
/// A value gets a new number when the cache does not know it, so a value that comes back after long may have two: whoever
/// reads compares the values, never the numbers of different rows. That keeps the table free of an index (over random texts
/// it would be the slowest part of all) and the memory bounded, whatever clients send.
struct TextDictionary {
    /// A value that the table does not have yet.
    typealias Addition = (id: Int64, key: [UInt8])

    private var additions: [Addition] = []
    private let hash: SeededHash

    /// Two generations: when the young one is full, it takes the place of the old one.
    private var young = ByteTable()
    private var old = ByteTable()
    private let generationBytes: Int

    private var next: Int64
    /// The last value asked for: the plays of a request mostly share theirs.
    private var last: (key: [UInt8], id: UInt32) = ([], 0)

    /// Begins with the newest values that a table has, so that a restart gives them no second number.
    ///
    /// - Parameter cacheBytes: the memory that the cache may take.
    init(_ table: DictionaryStatements, hash: SeededHash, cacheBytes: Int) throws(SQLiteError) {
        self.hash = hash
        generationBytes = cacheBytes / 2
        var warm = ByteTable()
        let most = generationBytes / 2
        try table.forEachRecent { id, key in
            let hash = hash(key.span.bytes)
            if let id = UInt32(exactly: id), warm.value(of: key.span.bytes, hash: hash) == nil {
                warm.add(key.span.bytes, hash: hash, value: id)
            }
            return warm.bytes < most
        }
        young = warm
        next = try table.last() &+ 1
    }

    /// The number of a value, from 1; nil when there are no more numbers.
    mutating func id(of key: RawSpan) -> UInt32? {
        if last.key.span.bytes.hasSameBytes(as: key) { return last.id }
        guard let id = cached(key, hash(key)) else { return nil }
        last.key.removeAll(keepingCapacity: true)
        last.key.append(key)
        last.id = id
        return id
    }

    private mutating func cached(_ key: RawSpan, _ hash: UInt64) -> UInt32? {
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
            additions.append((Int64(new), [UInt8](key)))
        }
        young.add(key, hash: hash, value: id)
        return id
    }

    /// Hands over the values that the table does not have yet.
    mutating func takeAdditions() -> [Addition] {
        defer { additions = [] }
        return additions
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

    func value(of key: RawSpan, hash: UInt64) -> UInt32? {
        let slots = slots.span
        let arena = arena.span.bytes
        var position = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
        while slots[position].count > 0 {
            let slot = slots[position]
            if slot.hash == hash {
                let range = Int(slot.offset)..<Int(slot.offset) + Int(slot.count)
                if arena.extracting(range).hasSameBytes(as: key) { return slot.value }
            }
            position = (position &+ 1) & (slots.count &- 1)
        }
        return nil
    }

    /// Adds a key that is not there. Whoever adds keeps ``bytes`` below 4 GiB.
    mutating func add(_ key: RawSpan, hash: UInt64, value: UInt32) {
        if count * 2 >= slots.count { grow() }
        let slot = Slot(
            hash: hash, value: value, offset: UInt32(truncatingIfNeeded: arena.count),
            count: UInt32(truncatingIfNeeded: key.byteCount))
        arena.append(key)
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
