internal import SQLite

/// Whether a repeat says the same of a play as the row of the first.
///
/// The contract's known fields count, after defaults and without `ageMs`; nothing that the server decided does: a region from
/// a header, the time that it gave the play.
final class PlayComparison {
    private let dictionaries: DictionaryTables

    init(_ dictionaries: DictionaryTables) {
        self.dictionaries = dictionaries
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
        if try differ(Int64(play.video), row.int(.video), in: dictionaries.videos) { return true }
        if try differ(Int64(play.error), row.int(.error), in: dictionaries.errors) { return true }
        if try differ(Int64(play.tagSet), row.int(.tagSet), in: dictionaries.tagSets) { return true }
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
        guard let key = try dictionaries.deliveries.key(of: id) else { return [nil, nil, nil, nil] }
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
        return try differ(one.device, other.device, in: dictionaries.devices)
    }

    private func run(_ id: Int64) throws(SQLiteError) -> (session: String?, device: Int64) {
        guard let key = try dictionaries.runs.key(of: id) else { return (nil, 0) }
        var reader = DictionaryKey(key)
        return (reader.text(), reader.number())
    }
}
