internal import PlaybackEvents
internal import SQLite

/// A sender's account as it waits for its row.
struct StoredAccount {
    /// Its place among the accounts of the log, from 1.
    var number: Int64
    /// The sender's number in its dictionary.
    var sender: UInt32
    var account: SenderAccount
    /// Ms since 1970.
    var receivedAt: Int64
    /// The arrival of the first play of its request, were there one.
    var firstArrival: Int64
    /// The plays of its request.
    var arrivals: Int64 = 0
    /// Those of them that were erased and are no repeats: they have arrived all the same.
    var erased: Int64 = 0

    /// What became of the plays of its request.
    struct Arrived: Equatable {
        /// How many became rows: repeats are left out.
        var stored: Int64 = 0
        /// The entries of `deliveries` that those have, ascending, 0 for none.
        var contexts: [UInt32] = []

        mutating func add(context: UInt32) {
            stored += 1
            guard contexts.last != context else { return }
            let position = contexts.firstIndex { $0 >= context } ?? contexts.endIndex
            guard position == contexts.endIndex || contexts[position] != context else { return }
            contexts.insert(context, at: position)
        }

        /// As a column holds the contexts: NULL without a play, a number for one, else four bytes each, the lowest first.
        func bind(_ index: Int, of statement: SQLiteStatement) throws {
            guard contexts.count > 1 else { return try statement.bind(index, contexts.first.map { Int64($0) }) }
            let bytes = contexts.flatMap { context in (0..<4).map { UInt8(truncatingIfNeeded: context >> (8 * $0)) } }
            try statement.bind(index, blob: bytes.span.bytes)
        }

        /// The contexts that a column holds.
        static func contexts(_ index: Int, of row: SQLiteStatement) -> [UInt32] {
            if row.isNull(index) { return [] }
            guard row.isBlob(index) else { return [UInt32(truncatingIfNeeded: row.int(index))] }
            return row.withBytes(index) { bytes in
                (0..<bytes.byteCount / 4).map {
                    UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
                }
            }
        }
    }
}
