internal import SQLite

/// All dictionaries as the database has them.
struct DictionaryTables {
    let videos: DictionaryStatements
    let errors: DictionaryStatements
    let tagSets: DictionaryStatements
    let senders: DictionaryStatements
    let deliveries: DictionaryStatements
    let devices: DictionaryStatements
    let runs: DictionaryStatements

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        videos = try DictionaryStatements(.videos, on: connection)
        errors = try DictionaryStatements(.errors, on: connection)
        tagSets = try DictionaryStatements(.tagSets, on: connection)
        senders = try DictionaryStatements(.senders, on: connection)
        deliveries = try DictionaryStatements(.deliveries, on: connection)
        devices = try DictionaryStatements(.devices, on: connection)
        runs = try DictionaryStatements(.runs, on: connection)
    }

    /// Writes what the tables do not have yet. Inside a transaction.
    func add(_ additions: DictionaryAdditions) throws(SQLiteError) {
        try videos.insert(additions.videos)
        try errors.insert(additions.errors)
        try tagSets.insert(additions.tagSets)
        try senders.insert(additions.senders)
        try deliveries.insert(additions.deliveries)
        try devices.insert(additions.devices)
        try runs.insert(additions.runs)
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

    func insert(_ values: [TextDictionary.Addition]) throws(SQLiteError) {
        for (id, key) in values {
            try insertion.bind(1, id)
            try table.bind(key, to: insertion, from: 2)
            try insertion.run()
        }
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
