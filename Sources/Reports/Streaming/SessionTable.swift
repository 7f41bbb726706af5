/// The sessions that runs belong to: a run is a session on one device, and the store may have several entries of one.
struct SessionTable {
    /// The first run of each session, and the others of the few that have some.
    private var first: [UInt32] = []
    private var others: [Int32: [UInt32]] = [:]
    private var byRun = RunTable()
    /// By a hash of the session's text; sessions whose hashes are the same follow each other by ``sameHash``.
    private var byHash = IndexTable()
    private var sameHash: [Int32: Int32] = [:]

    var count: Int { first.count }

    /// - Parameter runs: ascending, each of them of a session.
    init(of runs: [UInt32], in scanner: any PlayScanner) throws {
        first.reserveCapacity(runs.count)
        try scanner.sessions(of: runs) { run, text in
            var hasher = Hasher()
            hasher.combine(bytes: text)
            let next = Int32(first.count)
            let number = try find(text, UInt64(bitPattern: Int64(hasher.finalize())), scanner)
            if number == next {
                first.append(run)
            } else {
                others[number, default: []].append(run)
            }
            byRun.set(run, number)
        }
        // Nothing is looked up by it any more, and it is large.
        byHash = IndexTable()
    }

    private mutating func find(
        _ text: UnsafeRawBufferPointer, _ hash: UInt64, _ scanner: any PlayScanner
    ) throws -> Int32 {
        let next = Int32(first.count)
        var found = byHash.number(of: hash, orElse: next)
        while found != next {
            if try scanner.session(in: first[Int(found)]) == ByteText(text) { return found }
            guard let other = sameHash[found] else {
                sameHash[found] = next
                break
            }
            found = other
        }
        return next
    }

    /// The session of a run, nil for a run that is none of those given.
    func number(of run: UInt32) -> Int32? {
        let number = byRun[run]
        return number >= 0 ? number : nil
    }

    func forEachRun(of session: Int, _ visit: (UInt32) -> Void) {
        visit(first[session])
        for run in others[Int32(session)] ?? [] { visit(run) }
    }
}
