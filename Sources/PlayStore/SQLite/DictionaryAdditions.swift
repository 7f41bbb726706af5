internal import SQLite

/// Values that one dictionary's table does not have yet.
struct DictionaryAdditions {
    let statements: DictionaryStatements
    var values: [(id: Int64, key: [UInt8])] = []

    func write() throws(SQLiteError) {
        for (id, key) in values { try statements.insert(id, key: key) }
    }
}
