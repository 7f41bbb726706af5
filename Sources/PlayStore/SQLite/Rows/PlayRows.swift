internal import PlaybackEvents
internal import SQLite

/// The rows of plays: puts one in, unless it is there already.
///
/// Everything here happens inside one transaction, plays one after the other.
final class PlayRows {
    /// What became of a play.
    enum Outcome: Equatable {
        case stored
        /// The play is there already; `conflicts` when its content differs.
        case `repeat`(conflicts: Bool)
    }

    private let connection: SQLiteConnection
    private let prompt: PlayStatements
    private let delayed: PlayStatements
    private let comparison: PlayComparison
    private let rememberHour: SQLiteStatement
    private let recallHour: SQLiteStatement

    /// The latest hour that the delayed plays have, nil without any: no later hour needs a look there.
    private var lastDelayedHour: Int64?
    /// Whether any play is dated by its receipt alone.
    private var hasReceiptDated = false
    /// What to go back to when the transaction does not commit.
    private var committed: (lastDelayedHour: Int64?, hasReceiptDated: Bool) = (nil, false)

    init(_ connection: SQLiteConnection, _ dictionaries: DictionaryTables) throws(SQLiteError) {
        self.connection = connection
        prompt = try PlayStatements(.prompt, on: connection)
        delayed = try PlayStatements(.delayed, on: connection)
        comparison = PlayComparison(dictionaries)
        rememberHour = try connection.prepare(
            """
            INSERT INTO receipt_dated_plays (play_id, hour) VALUES (?, ?)
            ON CONFLICT (play_id) DO UPDATE SET hour = excluded.hour
            """)
        recallHour = try connection.prepare("SELECT hour FROM receipt_dated_plays WHERE play_id = ?")
        try reload()
    }

    /// Looks anew at what the tables hold.
    func reload() throws(SQLiteError) {
        let last = try connection.prepare("SELECT max(hour) FROM \(PlayTable.delayed.rawValue)")
        _ = try last.step()
        lastDelayedHour = last.intOrNil(0)
        hasReceiptDated = try connection.integer("SELECT EXISTS (SELECT 1 FROM receipt_dated_plays)") != 0
        didCommit()
    }

    func didCommit() {
        committed = (lastDelayedHour, hasReceiptDated)
    }

    func didRollBack() {
        (lastDelayedHour, hasReceiptDated) = committed
    }

    /// Puts a play in; the first of several stands.
    ///
    /// - Parameters:
    ///   - hoursBefore: the hours at which it may lie since it was received before a step of the server's clock.
    ///   - closed: hours up to this one are closed.
    func put(_ play: StoredPlay, _ hoursBefore: [Int64] = [], closed: Int64) throws(SQLiteError) -> Outcome {
        let hour = PlayHour(of: play.endedAt)
        let isDelayed = play.isDelayed(closed: closed)
        if let first = try first(of: play, hour, hoursBefore, isDelayed) { return try outcome(of: play, after: first) }
        let table = isDelayed ? delayed : prompt
        guard try table.insert(play, hour) else {
            guard let first = try table.find(play.id, hour: hour.number) else { return .repeat(conflicts: false) }
            return try outcome(of: play, after: first)
        }
        if isDelayed { lastDelayedHour = max(lastDelayedHour ?? hour.number, hour.number) }
        if !play.isIdMade, play.isDatedByReceipt { try remember(play.id, hour: hour.number) }
        return .stored
    }

    private func outcome(of play: StoredPlay, after first: PlayStatements.Found) throws(SQLiteError) -> Outcome {
        defer { first.end() }
        return .repeat(conflicts: try comparison.differs(play, from: first))
    }

    /// Lends the rows that have a play's own key.
    func forEachOwnRow(
        of play: StoredPlay, _ body: (PlayStatements.Found) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        let hour = PlayHour(of: play.endedAt).number
        for table in [prompt, delayed] {
            guard let row = try table.find(play.id, hour: hour) else { continue }
            defer { row.end() }
            try body(row)
        }
    }

    /// Lends every row that a play may be a repeat of, in the order in which they are looked for when it is put in.
    func forEachRow(
        of play: StoredPlay, _ hoursBefore: [Int64], _ body: (PlayStatements.Found) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        if !play.isIdMade {
            _ = try elsewhere(play, PlayHour(of: play.endedAt), hoursBefore) { hour throws(SQLiteError) -> Void? in
                for table in [prompt, delayed] {
                    guard let row = try table.find(play.id, hour: hour) else { continue }
                    defer { row.end() }
                    try body(row)
                }
                return nil
            }
        }
        try forEachOwnRow(of: play, body)
    }

    /// Whether a play, or the first of its repeats, may have had a row in an hour before one that a prune kept.
    func mayHaveLain(_ play: StoredPlay, _ hoursBefore: [Int64], before limit: Int64) -> Bool {
        let hour = PlayHour(of: play.endedAt)
        if hour.number < limit { return true }
        if play.isIdMade { return false }
        // Its first may have come at any time, and that is forgotten with its row.
        if play.isDatedByReceipt { return true }
        return hour.neighbour ?? limit < limit || hoursBefore.contains { $0 < limit }
    }

    /// The arrival of a play's row, or of the row of the first of its repeats; nil when there is none.
    func arrival(of play: StoredPlay) throws(SQLiteError) -> Int64? {
        let hour = PlayHour(of: play.endedAt)
        var found = try find(play.id, hour: hour.number)
        if found == nil, !play.isIdMade {
            found = try elsewhere(play, hour, []) { other throws(SQLiteError) in try find(play.id, hour: other) }
        }
        defer { found?.end() }
        return found?.int(.arrival)
    }

    /// Looks for the first of a play's repeats wherever it may be, but in the place where the play would go itself.
    private func first(
        of play: StoredPlay, _ hour: PlayHour, _ hoursBefore: [Int64], _ isDelayed: Bool
    ) throws(SQLiteError) -> PlayStatements.Found? {
        if !play.isIdMade {
            let found = try elsewhere(play, hour, hoursBefore) { other throws(SQLiteError) in
                try find(play.id, hour: other)
            }
            if let found { return found }
        }
        if isDelayed { return try prompt.find(play.id, hour: hour.number) }
        return hour.number <= lastDelayedHour ?? .min ? try delayed.find(play.id, hour: hour.number) : nil
    }

    /// Looks for a play at every other hour that it may have been given, until it is found.
    private func elsewhere<Result>(
        _ play: StoredPlay, _ hour: PlayHour, _ hoursBefore: [Int64], _ look: (Int64) throws(SQLiteError) -> Result?
    ) throws(SQLiteError) -> Result? {
        if hasReceiptDated, let other = try recall(play.id), other != hour.number, let found = try look(other) {
            return found
        }
        if let neighbour = hour.neighbour, let found = try look(neighbour) { return found }
        if play.isDatedByReceipt {
            for moment in play.unbelievedMoments {
                let named = PlayHour(of: moment)
                if named != hour, let found = try look(named.number) { return found }
                if let neighbour = named.neighbour, let found = try look(neighbour) { return found }
            }
        }
        for other in hoursBefore where other != hour.number {
            if let found = try look(other) { return found }
        }
        return nil
    }

    private func find(_ id: Identifier128, hour: Int64) throws(SQLiteError) -> PlayStatements.Found? {
        if let found = try prompt.find(id, hour: hour) { return found }
        return hour <= lastDelayedHour ?? .min ? try delayed.find(id, hour: hour) : nil
    }

    private func remember(_ id: Identifier128, hour: Int64) throws(SQLiteError) {
        try rememberHour.bind(1, id: id)
        try rememberHour.bind(2, hour)
        try rememberHour.run()
        hasReceiptDated = true
    }

    private func recall(_ id: Identifier128) throws(SQLiteError) -> Int64? {
        defer { recallHour.reset() }
        try recallHour.bind(1, id: id)
        return try recallHour.step() ? recallHour.int(0) : nil
    }
}

extension PlayHour {
    /// Five minutes of a clock that runs ahead, and one for the way.
    private static let edge: Int64 = 6 * 60_000

    /// The hour on the other side of an edge so near that a repeat may lie there.
    package var neighbour: Int64? {
        if offset <= Self.edge { return number - 1 }
        return Self.length - offset <= Self.edge ? number + 1 : nil
    }
}

extension StoredPlay {
    /// The ends of the play by what the client said and the server did not believe.
    package var unbelievedMoments: [Int64] {
        var moments: [Int64] = []
        if hasClientClock { moments.append(clientEndedAt) }
        if ageMs != Self.absent { moments.append(receivedAt - ageMs) }
        return moments
    }
}
