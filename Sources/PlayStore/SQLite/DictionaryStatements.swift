internal import SQLite

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
