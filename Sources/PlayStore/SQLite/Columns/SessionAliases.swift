internal import SQLite

/// The number that a session goes by where several runs belong to it: another device entry, a run that had left the
/// follower's cache, a restart. It is the least of their numbers.
package struct SessionAliases: Sendable {
    /// Runs whose number is another, ascending, and those numbers; 0 for runs of no session.
    private var runs: [Int32] = []
    private var numbers: [Int32] = []
    /// A bit for each of ``runs``, the first one's word first.
    private var marks: [UInt64] = []
    private var firstWord = 0

    /// For whoever asks for no sessions: every run keeps its number.
    init() {}

    /// The number of the session that a run belongs to, 0 for none.
    @inline(__always)
    package func canonical(_ run: Int32) -> Int32 {
        marks.isEmpty ? run : looked(run)
    }

    private func looked(_ run: Int32) -> Int32 {
        let word = Int(run) >> 6 - firstWord
        guard word >= 0, word < marks.count, marks[word] >> UInt64(run & 63) & 1 == 1 else { return run }
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle] < run { low = middle + 1 } else { high = middle }
        }
        return low < runs.count && runs[low] == run ? numbers[low] : run
    }

    private init(_ pairs: [(run: Int32, number: Int32)]) {
        let pairs = pairs.sorted { $0.run < $1.run }
        runs = pairs.map(\.run)
        numbers = pairs.map(\.number)
        guard let first = runs.first, let last = runs.last else { return }
        firstWord = Int(first) >> 6
        marks = [UInt64](repeating: 0, count: Int(last) >> 6 - firstWord + 1)
        for run in runs { marks[Int(run) >> 6 - firstWord] |= 1 << UInt64(run & 63) }
    }

    // MARK: Finding them

    private struct Candidate {
        var hash: UInt64
        var run: Int32
    }

    /// The aliases among some runs.
    ///
    /// Two bits of a hash tell of nearly all runs that they are alone with theirs; the hashes of the others are sorted, and
    /// texts are read where they are equal.
    ///
    /// - Complexity: O(*n*): 30–50 ns and 2–4 bytes a run.
    init(among set: RunSet, _ hashes: RunHashes, on connection: SQLiteConnection) throws {
        var bits = 1_024
        let count = set.count
        while bits < 8 * count { bits *= 2 }
        var seen = BitFilter(bits: bits)
        var twice = BitFilter(bits: bits)
        var pairs: [(run: Int32, number: Int32)] = []
        try hashes.forEach(of: set) { run, hash in
            if hash == RunHashes.noSession {
                pairs.append((run, 0))
            } else if !seen.insert(hash) {
                _ = twice.insert(hash)
            }
        }
        var candidates: [Candidate] = []
        if !twice.isEmpty {
            try hashes.forEach(of: set) { run, hash in
                if hash != RunHashes.noSession, twice.contains(hash) {
                    candidates.append(Candidate(hash: hash, run: run))
                }
            }
        }
        candidates.sort { $0.hash != $1.hash ? $0.hash < $1.hash : $0.run < $1.run }
        let lookup = try connection.prepare("SELECT session_id FROM runs WHERE id = ?")
        var start = 0
        while start < candidates.count {
            var end = start + 1
            while end < candidates.count, candidates[end].hash == candidates[start].hash { end += 1 }
            if end - start > 1 { try Self.compare(candidates[start..<end], lookup, &pairs) }
            start = end
        }
        self.init(pairs)
    }

    /// Finds the runs of one session among those of one hash.
    private static func compare(
        _ candidates: ArraySlice<Candidate>, _ lookup: SQLiteStatement, _ pairs: inout [(run: Int32, number: Int32)]
    ) throws(SQLiteError) {
        var known: [[UInt8]: Int32] = [:]
        for candidate in candidates {
            lookup.reset()
            try lookup.bind(1, Int64(candidate.run))
            guard try lookup.step() else { continue }
            let session = lookup.bytes(0)
            if let number = known[session] {
                pairs.append((candidate.run, number))
            } else {
                known[session] = candidate.run
            }
        }
        lookup.reset()
    }
}

/// A bit for each value of a hash's lowest bits.
private struct BitFilter {
    private var words: [UInt64]
    private let mask: UInt64
    private(set) var isEmpty = true

    init(bits: Int) {
        words = [UInt64](repeating: 0, count: bits / 64)
        mask = UInt64(bits - 1)
    }

    /// - Returns: whether it was not there.
    mutating func insert(_ hash: UInt64) -> Bool {
        let bit = hash & mask
        let word = Int(bit >> 6)
        let isNew = words[word] >> (bit & 63) & 1 == 0
        words[word] |= 1 << (bit & 63)
        isEmpty = false
        return isNew
    }

    func contains(_ hash: UInt64) -> Bool {
        let bit = hash & mask
        return words[Int(bit >> 6)] >> (bit & 63) & 1 == 1
    }
}
