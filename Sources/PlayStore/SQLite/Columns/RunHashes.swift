internal import SQLite

/// A hash of the session of every run, in blobs of 960 runs: whoever looks for the runs that belong to one session reads
/// no texts but those of equal hashes.
final class RunHashes {
    static let table = """
        -- Hashes of the runs' sessions, eight bytes each, the lowest first, 0 for a run of no session: those of the runs
        -- block * 960 to block * 960 + 959.
        CREATE TABLE run_hashes (
            block INTEGER PRIMARY KEY,
            hashes BLOB
        );
        """

    /// A multiple of 64. Two blobs fill a page.
    static let runsOfBlock = 960
    /// Not the hash of any session.
    static let noSession: UInt64 = 0

    private static let hash = SeededHash(seed: 0xA076_1D64_78BD_642F)

    private let connection: SQLiteConnection
    private let selection: SQLiteStatement
    private let replacement: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        selection = try connection.prepare("SELECT hashes FROM run_hashes WHERE block = ?")
        replacement = try connection.prepare("INSERT OR REPLACE INTO run_hashes (block, hashes) VALUES (?, ?)")
    }

    /// The hash of a session by the bytes of its text.
    static func hash(of session: RawSpan) -> UInt64 {
        session.isEmpty ? noSession : max(1, hash(session))
    }

    // MARK: Writing

    /// Adds the runs that a commit adds to their table.
    func add(_ runs: [TextDictionary.Addition]) throws {
        var next = 0
        while next < runs.count {
            let block = runs[next].id / Int64(Self.runsOfBlock)
            var hashes = try self.hashes(of: block)
            while next < runs.count, runs[next].id / Int64(Self.runsOfBlock) == block {
                let (id, key) = runs[next]
                var reader = DictionaryKey(key)
                Self.set(&hashes, at: id, to: reader.withText { Self.hash(of: $0) })
                next += 1
            }
            try set(block, hashes)
        }
    }

    /// Makes the hashes of all runs anew.
    func fill() throws {
        try connection.execute("DELETE FROM run_hashes")
        var current: Int64 = 0
        var hashes: [UInt64] = []
        let rows = try connection.prepare("SELECT id, session_id FROM runs ORDER BY id")
        while try rows.step() {
            let id = rows.int(0)
            if id / Int64(Self.runsOfBlock) != current {
                if !hashes.isEmpty { try set(current, hashes) }
                current = id / Int64(Self.runsOfBlock)
                hashes = []
            }
            Self.set(&hashes, at: id, to: rows.withBytes(1) { Self.hash(of: $0) })
        }
        if !hashes.isEmpty { try set(current, hashes) }
    }

    private static func set(_ hashes: inout [UInt64], at id: Int64, to hash: UInt64) {
        let position = Int(id % Int64(runsOfBlock))
        // No run has a number below 0, but a damaged database's.
        guard position >= 0 else { return }
        // A number may come again whose run was pruned.
        if position >= hashes.count {
            hashes.append(contentsOf: repeatElement(noSession, count: position + 1 - hashes.count))
        }
        hashes[position] = hash
    }

    private func set(_ block: Int64, _ hashes: [UInt64]) throws {
        try replacement.bind(1, block)
        try replacement.bind(2, blob: hashes.span.bytes)
        try replacement.run()
    }

    /// Forgets the hashes of runs that have gone.
    func forget(_ runs: some Sequence<Int64>) throws {
        for (block, runs) in Dictionary(grouping: runs, by: { $0 / Int64(Self.runsOfBlock) }) {
            var hashes = try self.hashes(of: block)
            for run in runs where run % Int64(Self.runsOfBlock) < hashes.count {
                Self.set(&hashes, at: run, to: Self.noSession)
            }
            try set(block, hashes)
        }
    }

    /// Forgets blocks whose runs have all gone.
    func prune() throws(SQLiteError) {
        try connection.execute(
            "DELETE FROM run_hashes WHERE block < (SELECT coalesce(min(id), 0) / \(Self.runsOfBlock) FROM runs)")
    }

    // MARK: Reading

    /// The hashes of a block, empty where there are none.
    private func hashes(of block: Int64) throws(SQLiteError) -> [UInt64] {
        defer { selection.reset() }
        try selection.bind(1, block)
        guard try selection.step() else { return [] }
        return selection.withBytes(0) { bytes in
            (0..<bytes.byteCount / 8).map { bytes.unsafeLoadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
        }
    }

    /// The runs whose sessions have a hash, ascending.
    ///
    /// - Complexity: eight bytes a run of the store.
    func runs(with hash: UInt64) throws -> [Int64] {
        let rows = try connection.prepare("SELECT block, hashes FROM run_hashes ORDER BY block")
        var runs: [Int64] = []
        while try rows.step() {
            let first = rows.int(0) * Int64(Self.runsOfBlock)
            rows.withBytes(1) { bytes in
                for position in 0..<bytes.byteCount / 8 {
                    let found = bytes.unsafeLoadUnaligned(fromByteOffset: position * 8, as: UInt64.self)
                    if found == hash { runs.append(first + Int64(position)) }
                }
            }
        }
        return runs
    }

    /// Says whether the highest number of a run is one that was given: a damaged one would ask for room for as many.
    ///
    /// - Throws: ``SessionHashError`` for a run without a hash.
    func check(highest run: Int64) throws {
        let block = run / Int64(Self.runsOfBlock)
        if run > 0, try hashes(of: block).count <= run % Int64(Self.runsOfBlock) {
            throw SessionHashError(run: Int32(clamping: run))
        }
    }

    /// Visits runs and the hashes of their sessions, in ascending order.
    ///
    /// - Throws: ``SessionHashError`` for a run without a hash.
    func forEach(of runs: RunSet, _ visit: (Int32, UInt64) -> Void) throws {
        for block in runs.blocks {
            guard runs.hasAny(inBlock: block) else { continue }
            let hashes = try hashes(of: Int64(block))
            var missing: Int32?
            runs.forEach(inBlock: block) { run in
                let position = Int(run) - block * Self.runsOfBlock
                if position < hashes.count { visit(run, hashes[position]) } else { missing = missing ?? run }
            }
            if let missing { throw SessionHashError(run: missing) }
        }
    }
}

/// The hash of a run's session is not in the database.
package struct SessionHashError: Error, CustomStringConvertible {
    let run: Int32

    package var description: String {
        "the table run_hashes has no hash of run \(run): 'qoe rebuild' makes the database anew from the archive"
    }
}

/// A set of runs by their numbers, a bit each.
struct RunSet {
    private let firstBlock: Int
    private var words: [UInt64]
    private static let wordsOfBlock = RunHashes.runsOfBlock / 64

    /// - Parameter range: of the runs that may come.
    init(in range: ClosedRange<Int32>) {
        firstBlock = Int(range.lowerBound) / RunHashes.runsOfBlock
        let blocks = Int(range.upperBound) / RunHashes.runsOfBlock - firstBlock + 1
        words = [UInt64](repeating: 0, count: blocks * Self.wordsOfBlock)
    }

    /// Adds a run; one outside of the range, and 0, are left out.
    mutating func insert(_ run: Int32) {
        let word = Int(run) >> 6 - firstBlock * Self.wordsOfBlock
        if run > 0, words.indices.contains(word) { words[word] |= 1 << UInt64(run & 63) }
    }

    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    fileprivate var blocks: Range<Int> { firstBlock..<firstBlock + words.count / Self.wordsOfBlock }

    private func words(ofBlock block: Int) -> Range<Int> {
        let start = (block - firstBlock) * Self.wordsOfBlock
        return start..<start + Self.wordsOfBlock
    }

    fileprivate func hasAny(inBlock block: Int) -> Bool {
        words[words(ofBlock: block)].contains { $0 != 0 }
    }

    fileprivate func forEach(inBlock block: Int, _ visit: (Int32) -> Void) {
        for word in words(ofBlock: block) {
            var bits = words[word]
            while bits != 0 {
                visit(
                    Int32(truncatingIfNeeded: (firstBlock * Self.wordsOfBlock + word) * 64 + bits.trailingZeroBitCount))
                bits &= bits - 1
            }
        }
    }
}
