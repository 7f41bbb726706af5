internal import Glibc
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
