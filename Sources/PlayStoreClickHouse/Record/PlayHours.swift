internal import PlayStore
internal import PlaybackEvents
internal import SQLite

/// Gives a repeat the hour of the first play, which is half of its key in the store.
///
/// A chunk's plays are asked about in the order of the log, in one transaction of the record. Asked again after a crash, with
/// what was noted then, it says the same.
final class PlayHours {
    private let findEdge: SQLiteStatement
    private let addEdge: SQLiteStatement
    private let findDated: SQLiteStatement
    private let addDated: SQLiteStatement
    private var hasReceiptDated: Bool

    /// The hours of the chunk's plays so far.
    private var chunk: [Identifier128: Int64] = [:]
    /// Plays that the store has at another hour than their own.
    private var elsewhere: [Identifier128: Int64] = [:]

    init(_ record: ClickHouseRecord) throws {
        let connection = record.connection
        findEdge = try connection.prepare("SELECT 1 FROM edge_plays WHERE hour = ? AND play_id = ?")
        addEdge = try connection.prepare("INSERT OR IGNORE INTO edge_plays (hour, play_id) VALUES (?, ?)")
        findDated = try connection.prepare("SELECT hour FROM receipt_dated_plays WHERE play_id = ?")
        addDated = try connection.prepare("INSERT OR IGNORE INTO receipt_dated_plays (play_id, hour) VALUES (?, ?)")
        hasReceiptDated = try connection.integer("SELECT EXISTS (SELECT 1 FROM receipt_dated_plays)") != 0
    }

    /// A chunk begins.
    ///
    /// - Parameter elsewhere: of its plays that ``PlayHours/candidates(of:)`` named, those that the store has, with the hour.
    func begin(elsewhere: [Identifier128: Int64]) {
        chunk.removeAll(keepingCapacity: true)
        self.elsewhere = elsewhere
    }

    /// The hour of a play, UTC hours since 1970.
    func hour(of play: StoredPlay) throws -> Int64 {
        let own = PlayHour(of: play.endedAt)
        guard !play.isIdMade else { return own.number }
        if let first = try first(of: play, own) {
            chunk[play.id] = first
            return first
        }
        chunk[play.id] = own.number
        if own.neighbour != nil { try note(play.id, own.number) }
        if play.isDatedByReceipt { try remember(play.id, own.number) }
        return own.number
    }

    /// Every hour at which the first of a play's repeats may be.
    func possible(for play: StoredPlay) throws -> Set<Int64> {
        let own = PlayHour(of: play.endedAt)
        guard !play.isIdMade else { return [own.number] }
        var hours: Set = [own.number]
        if let neighbour = own.neighbour { hours.insert(neighbour) }
        if let noted = try recall(play.id) { hours.insert(noted) }
        if play.isDatedByReceipt { hours.formUnion(Self.namedHours(play)) }
        return hours
    }

    /// The hours at which the store has to be asked for a play, since nothing here may know the first: its own time was not
    /// believed, or another server may have dated it to the other side of an hour's edge.
    ///
    /// - Parameter isAmongOthers: whether other servers feed the store.
    func candidates(of play: StoredPlay, isAmongOthers: Bool) throws -> [Int64] {
        guard !play.isIdMade else { return [] }
        let own = PlayHour(of: play.endedAt)
        var hours = play.isDatedByReceipt ? Self.namedHours(play) : []
        if isAmongOthers, let neighbour = own.neighbour, try !isNoted(play.id, own.number) { hours.append(neighbour) }
        return try hours.isEmpty || recall(play.id) != nil ? [] : hours
    }

    /// The hours that an unbelieved clock or age names, and their neighbours.
    private static func namedHours(_ play: StoredPlay) -> [Int64] {
        play.unbelievedMoments.flatMap { moment in
            let hour = PlayHour(of: moment)
            return [hour.number, hour.neighbour].compactMap { $0 }
        }
    }

    private func first(of play: StoredPlay, _ own: PlayHour) throws -> Int64? {
        if hasReceiptDated, let hour = try recall(play.id) { return hour }
        if let hour = chunk[play.id], hour == own.number || hour == own.neighbour { return hour }
        if try own.neighbour != nil && isNoted(play.id, own.number) { return own.number }
        if let neighbour = own.neighbour, try isNoted(play.id, neighbour) { return neighbour }
        if let hour = elsewhere[play.id], hour == own.neighbour {
            try note(play.id, hour)
            return hour
        }
        guard play.isDatedByReceipt else { return nil }
        if let hour = elsewhere[play.id] {
            try remember(play.id, hour)
            return hour
        }
        for hour in Self.namedHours(play) where try chunk[play.id] == hour || isNoted(play.id, hour) {
            try remember(play.id, hour)
            return hour
        }
        return nil
    }

    private func note(_ id: Identifier128, _ hour: Int64) throws(SQLiteError) {
        try addEdge.bind(1, hour)
        try addEdge.bind(2, id: id)
        try addEdge.run()
    }

    private func isNoted(_ id: Identifier128, _ hour: Int64) throws(SQLiteError) -> Bool {
        defer { findEdge.reset() }
        try findEdge.bind(1, hour)
        try findEdge.bind(2, id: id)
        return try findEdge.step()
    }

    private func recall(_ id: Identifier128) throws(SQLiteError) -> Int64? {
        defer { findDated.reset() }
        try findDated.bind(1, id: id)
        return try findDated.step() ? findDated.int(0) : nil
    }

    private func remember(_ id: Identifier128, _ hour: Int64) throws(SQLiteError) {
        try addDated.bind(1, id: id)
        try addDated.bind(2, hour)
        try addDated.run()
        hasReceiptDated = true
    }
}
