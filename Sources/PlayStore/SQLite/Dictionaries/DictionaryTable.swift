internal import SQLite

/// One table of ``TextDictionary``: a number, and the columns that it stands for.
struct DictionaryTable: Sendable {
    struct Column: Sendable {
        var name: String
        var isInteger = false
    }

    var name: String
    var columns: [Column]

    static let videos = DictionaryTable("videos", texts: ["video_id"])
    static let errors = DictionaryTable("errors", texts: ["error_code"])
    static let tagSets = DictionaryTable("tag_sets", texts: ["tags"])
    static let senders = DictionaryTable("senders", texts: ["sender_id"])
    /// What a play's delivery has in common with others.
    static let deliveries = DictionaryTable(
        "deliveries", texts: ["cdn", "cdn_region", "network", "source"], integer: "region_from")
    /// What a run of an app has in common with others.
    static let devices = DictionaryTable(
        "devices", texts: ["app_version", "os_version", "device_model", "player"])
    /// One run of an app in the foreground: its session and its device.
    static let runs = DictionaryTable("runs", texts: ["session_id"], integer: "device")

    static let all = [videos, errors, tagSets, senders, deliveries, devices, runs]

    private init(_ name: String, texts: [String], integer: String? = nil) {
        self.name = name
        columns = texts.map { Column(name: $0) }
        if let integer { columns.append(Column(name: integer, isInteger: true)) }
    }

    var creation: String {
        let list = columns.map { "\($0.name) \($0.isInteger ? "INTEGER" : "TEXT")" }.joined(separator: ", ")
        return "CREATE TABLE \(name) (id INTEGER PRIMARY KEY, \(list));"
    }

    private var names: String { columns.map(\.name).joined(separator: ", ") }

    var insertion: String {
        "INSERT INTO \(name) (id, \(names)) VALUES (?, \(columns.map { _ in "?" }.joined(separator: ", ")))"
    }

    var selection: String { "SELECT \(names) FROM \(name) WHERE id = ?" }

    var recent: String { "SELECT id, \(names) FROM \(name) ORDER BY id DESC" }

    // MARK: Keys

    /// A table of one text has the text itself as its key, so that it can be borrowed from a line.
    private var isPlain: Bool { columns.count == 1 }

    /// The key that the current row of a statement stands for.
    func key(of row: SQLiteStatement, from first: Int) -> [UInt8] {
        if isPlain { return row.bytes(first) }
        var key: [UInt8] = []
        for (offset, column) in columns.enumerated() {
            if column.isInteger {
                DictionaryKey.append(row.int(first + offset), to: &key)
            } else {
                row.withBytes(first + offset) { DictionaryKey.append($0, to: &key) }
            }
        }
        return key
    }

    /// Whether the current row of a statement holds texts where texts belong, and integers where they do.
    func hasOwnTypes(_ row: SQLiteStatement, from first: Int) -> Bool {
        columns.indices.allSatisfy { offset in
            let column = first + offset
            return columns[offset].isInteger ? row.holds(column, row.intOrNil(column)) : row.holdsText(column)
        }
    }

    /// Binds the columns that a key stands for; a text of no bytes and the number 0 are NULL.
    func bind(_ key: [UInt8], to statement: SQLiteStatement, from first: Int) throws(SQLiteError) {
        if isPlain { return try statement.bind(first, String(decoding: key, as: UTF8.self)) }
        var reader = DictionaryKey(key)
        for (offset, column) in columns.enumerated() {
            if column.isInteger {
                let number = reader.number()
                try statement.bind(first + offset, number == 0 ? nil : number)
            } else if let text = reader.text() {
                try statement.bind(first + offset, text)
            } else {
                try statement.bind(first + offset, nil)
            }
        }
    }
}
