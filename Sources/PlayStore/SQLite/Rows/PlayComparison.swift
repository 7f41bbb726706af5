internal import SQLite

/// Whether a repeat says the same of a play as the row of the first.
///
/// The contract's known fields count, after defaults and without `ageMs`; nothing that the server decided does: a region from
/// a header, the time that it gave the play.
final class PlayComparison {
    private let videos: DictionaryStatements
    private let errors: DictionaryStatements
    private let tagSets: DictionaryStatements
    private let deliveries: DictionaryStatements
    private let devices: DictionaryStatements
    private let runs: DictionaryStatements

    init(_ dictionaries: StoreDictionaries) {
        videos = dictionaries.videos.statements
        errors = dictionaries.errors.statements
        tagSets = dictionaries.tagSets.statements
        deliveries = dictionaries.deliveries.statements
        devices = dictionaries.devices.statements
        runs = dictionaries.runs.statements
    }

    func differs(_ play: StoredPlay, from row: PlayStatements.Found) throws(SQLiteError) -> Bool {
        let numbersDiffer =
            play.startupMs.stored != row.intOrNil(.startupMs)
            || play.stalls.stored != row.intOrNil(.stalls)
            || play.stalledMs.stored != row.intOrNil(.stalledMs)
            || play.watchedMs.stored != row.intOrNil(.watchedMs)
            || play.avgBitrate.stored != row.intOrNil(.avgBitrate)
            || play.bytes.stored != row.intOrNil(.bytes)
            || play.waitedMs.stored != row.intOrNil(.waitedMs)
            || play.memoryBytes.stored != row.intOrNil(.memoryBytes)
            || play.accessLogStartupMs.stored != row.intOrNil(.accessLogStartupMs)
            || play.playerStalls.stored != row.intOrNil(.playerStalls)
            || play.playerStalledMs.stored != row.intOrNil(.playerStalledMs)
            || max(1, Int64(play.attempt)) != row.intOrNil(.attempt) ?? 1
            || (play.hasClientClock ? play.clientEndedAt : nil) != clientClock(of: row)
        if numbersDiffer { return true }
        if try differ(Int64(play.video), row.int(.video), in: videos) { return true }
        if try differ(Int64(play.error), row.int(.error), in: errors) { return true }
        if try differ(Int64(play.tagSet), row.int(.tagSet), in: tagSets) { return true }
        if try deliveriesDiffer(Int64(play.delivery), row.int(.delivery)) { return true }
        return try runsDiffer(Int64(play.run), row.int(.run))
    }

    private func clientClock(of row: PlayStatements.Found) -> Int64? {
        guard let lead = row.intOrNil(.clockLead) else { return nil }
        return row.int(.hour) &* PlayHour.length &+ row.int(.endedMs) &+ lead
    }

    /// Compares values, since one value may have two numbers.
    private func differ(_ one: Int64, _ other: Int64, in dictionary: DictionaryStatements) throws(SQLiteError) -> Bool {
        if one == other { return false }
        return try dictionary.key(of: one) != dictionary.key(of: other)
    }

    private func deliveriesDiffer(_ one: Int64, _ other: Int64) throws(SQLiteError) -> Bool {
        if one == other { return false }
        return try delivery(one) != delivery(other)
    }

    private func delivery(_ id: Int64) throws(SQLiteError) -> [String?] {
        guard let key = try deliveries.key(of: id) else { return [nil, nil, nil, nil] }
        var reader = DictionaryKey(key)
        var texts = (0..<4).map { _ in reader.text() }
        let isFromHeader = reader.number() == 3
        if isFromHeader { texts[1] = nil }
        return texts
    }

    private func runsDiffer(_ one: Int64, _ other: Int64) throws(SQLiteError) -> Bool {
        if one == other { return false }
        let (one, other) = (try run(one), try run(other))
        if one.session != other.session { return true }
        return try differ(one.device, other.device, in: devices)
    }

    private func run(_ id: Int64) throws(SQLiteError) -> (session: String?, device: Int64) {
        guard let key = try runs.key(of: id) else { return (nil, 0) }
        var reader = DictionaryKey(key)
        return (reader.text(), reader.number())
    }
}

/// The prepared statements of one dictionary's table.
final class DictionaryStatements {
    private let connection: SQLiteConnection
    private let table: DictionaryTable
    private let insertion: SQLiteStatement
    private let selection: SQLiteStatement

    init(_ table: DictionaryTable, on connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        self.table = table
        insertion = try connection.prepare(table.insertion)
        selection = try connection.prepare(table.selection)
    }

    func insert(_ id: Int64, key: [UInt8]) throws(SQLiteError) {
        try insertion.bind(1, id)
        try table.bind(key, to: insertion, from: 2)
        try insertion.run()
    }

    /// The key of a number, nil when the table does not have it.
    func key(of id: Int64) throws(SQLiteError) -> [UInt8]? {
        defer { selection.reset() }
        try selection.bind(1, id)
        return try selection.step() ? table.key(of: selection, from: 0) : nil
    }

    /// What the table has under a number.
    func entry(_ id: Int64) throws(SQLiteError) -> StoredTexts.Entry {
        defer { selection.reset() }
        try selection.bind(1, id)
        guard try selection.step() else { return .missing }
        return table.hasOwnTypes(selection, from: 0) ? .key(table.key(of: selection, from: 0)) : .mistyped
    }

    /// The largest number that the table has, 0 for none.
    func last() throws(SQLiteError) -> Int64 {
        try connection.integer("SELECT coalesce(max(id), 0) FROM \(table.name)")
    }

    /// Goes over the values from the newest on, until told to end.
    func forEachRecent(_ body: (_ id: Int64, _ key: [UInt8]) -> Bool) throws(SQLiteError) {
        let recent = try connection.prepare(table.recent)
        while try recent.step(), body(recent.int(0), table.key(of: recent, from: 1)) {}
    }
}
