/// The sessions of scanned plays: entries that stand for the same session have the same number.
struct SessionTable {
    /// By entry; -1 is not looked up yet, -2 no session.
    private var byEntry: [Int32] = []
    /// By a hash of the session's text; sessions whose hashes are the same follow each other by ``sameHash``.
    private var byHash = IndexTable()
    private var sameHash: [Int32] = []
    /// An entry of each session, to read its text again where two may be the same.
    private var entries: [Int64] = []

    var count: Int { entries.count }

    /// The number of an entry's session, nil for plays without one.
    mutating func number(of entry: Int64, in scanner: any PlayScanner) throws -> Int32? {
        let index = Int(entry)
        if index < byEntry.count, byEntry[index] != -1 { return byEntry[index] >= 0 ? byEntry[index] : nil }
        let number = entry == 0 ? nil : try scanner.session(in: entry).map { try find($0, entry, scanner) }
        while byEntry.count <= index { byEntry.append(-1) }
        byEntry[index] = number ?? -2
        return number
    }

    private mutating func find(_ session: ByteText, _ entry: Int64, _ scanner: any PlayScanner) throws -> Int32 {
        let next = Int32(entries.count)
        let hash = UInt64(bitPattern: Int64(session.hashValue))
        var found = byHash.number(of: hash, orElse: next)
        while found != next {
            if try scanner.session(in: entries[Int(found)]) == session { return found }
            guard sameHash[Int(found)] >= 0 else {
                sameHash[Int(found)] = next
                break
            }
            found = sameHash[Int(found)]
        }
        entries.append(entry)
        sameHash.append(-1)
        return next
    }
}
