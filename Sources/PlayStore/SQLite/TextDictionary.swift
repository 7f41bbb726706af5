internal import SQLite

/// Numbers for values that many rows share: a table of the database with a cache before it.
///
/// A value gets a new number when the cache does not know it, so a value that comes back after long may have two: whoever
/// reads compares the values, never the numbers of different rows. That keeps the table free of an index (over random texts
/// it would be the slowest part of all) and the memory bounded, whatever clients send.
final class TextDictionary {
    private let connection: SQLiteConnection
    private let table: DictionaryTable
    private let hash: SeededHash
    private let insert: SQLiteStatement
    private let select: SQLiteStatement

    /// Two generations: when the young one is full, it takes the place of the old one.
    private var young = ByteTable()
    private var old = ByteTable()
    private let generationBytes: Int

    /// Values that the table does not have yet.
    private var pending: [(id: Int64, key: [UInt8])] = []
    private var next: Int64 = 1
    private var last: (key: [UInt8], id: Int64) = ([], 0)

    /// - Parameter cacheBytes: the memory that the cache may take.
    init(
        _ table: DictionaryTable, on connection: SQLiteConnection, hash: SeededHash, cacheBytes: Int
    ) throws(SQLiteError) {
        self.connection = connection
        self.table = table
        self.hash = hash
        generationBytes = cacheBytes / 2
        insert = try connection.prepare(table.insertion)
        select = try connection.prepare(table.selection)
        try reload()
    }

    /// Begins anew with what the table has.
    func reload() throws(SQLiteError) {
        young = ByteTable()
        old = ByteTable()
        pending = []
        last = ([], 0)
        let newest = try connection.prepare("SELECT coalesce(max(id), 0) FROM \(table.name)")
        _ = try newest.step()
        next = newest.int(0) + 1
        try warm()
    }

    /// Fills the cache with the newest values, so that a restart gives them no second number.
    private func warm() throws(SQLiteError) {
        let recent = try connection.prepare(table.recent)
        while try recent.step(), young.bytes < generationBytes / 2 {
            let key = table.key(of: recent, from: 1)
            let id = recent.int(0)
            key.withUnsafeBytes { key in
                let hash = hash(key)
                if young.value(of: key, hash: hash) == nil { young.add(key, hash: hash, value: id) }
            }
        }
    }

    /// The number of a value.
    func id(of key: UnsafeRawBufferPointer) -> Int64 {
        if last.key.count == key.count, last.key.elementsEqual(key) { return last.id }
        let id = cached(key, hash(key))
        last.key.removeAll(keepingCapacity: true)
        last.key.append(contentsOf: key)
        last.id = id
        return id
    }

    private func cached(_ key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int64 {
        if let id = young.value(of: key, hash: hash) { return id }
        if young.bytes > generationBytes {
            old = young
            young = ByteTable()
        }
        let id: Int64
        if let known = old.value(of: key, hash: hash) {
            id = known
        } else {
            id = next
            next += 1
            pending.append((id, [UInt8](key)))
        }
        young.add(key, hash: hash, value: id)
        return id
    }

    /// Writes the values that are new; to be called again if the transaction does not commit.
    func flush() throws(SQLiteError) {
        for (id, key) in pending {
            try insert.bind(1, id)
            try table.bind(key, to: insert, from: 2)
            try insert.run()
        }
    }

    /// What was flushed is committed.
    func committed() {
        pending.removeAll(keepingCapacity: true)
    }

    /// The value of a number, as ``id(of:)`` takes it; nil when there is none.
    func key(of id: Int64) throws(SQLiteError) -> [UInt8]? {
        defer { select.reset() }
        try select.bind(1, id)
        return try select.step() ? table.key(of: select, from: 0) : nil
    }
}
