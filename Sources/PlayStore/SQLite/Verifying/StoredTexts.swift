internal import SQLite

/// Reads a dictionary's values by their numbers, and remembers a bounded number of them.
struct StoredTexts {
    enum Entry: Equatable {
        /// The dictionary has no such number.
        case missing
        /// A column of it holds something of another type than the dictionary ever gets.
        case mistyped
        /// The values, as ``DictionaryTable`` puts them together.
        case key([UInt8])
    }

    private let statements: DictionaryStatements
    /// By the last bits of the number.
    private var slots: [(id: Int64, entry: Entry)]
    private static let slotCount = 4_096

    init(_ statements: DictionaryStatements) {
        self.statements = statements
        slots = Array(repeating: (0, .missing), count: Self.slotCount)
    }

    mutating func entry(_ id: Int64) throws(SQLiteError) -> Entry {
        let slot = Int(truncatingIfNeeded: id & Int64(Self.slotCount - 1))
        if slots[slot].id == id { return slots[slot].entry }
        let entry = try statements.entry(id)
        slots[slot] = (id, entry)
        return entry
    }

    /// Whether a reference stands for a key; nil stands for no values at all.
    mutating func `is`(_ reference: Int64?, _ key: [UInt8]?) throws(SQLiteError) -> Bool {
        guard let reference, let key else { return reference == nil && key == nil }
        return try entry(reference) == .key(key)
    }
}
