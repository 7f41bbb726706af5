/// Guesses an object's next key by the order of the object before it, and looks up what it did not guess.
struct KeyGuess {
    /// A key that was taken: which known name it is, and the rest where it is none.
    struct Key {
        /// ``KeyTable/none`` for an unknown one.
        var number: UInt8
        /// The text of an unknown one.
        var text: TextSlice
    }

    let table: KeyTable
    /// The name that followed each name the last time; the last entry is for the first key.
    private var followers: [UInt8]
    private var last: Int
    private let start: Int

    /// - Parameter count: how many names the table has.
    init(_ table: KeyTable, count: Int) {
        self.table = table
        start = count
        last = count
        followers = [UInt8](repeating: 0, count: count + 1)
    }

    /// A new object begins.
    mutating func begin() {
        last = start
    }

    /// Takes a key whose quote must stand here, the colon and the white space round it.
    @inline(__always)
    mutating func takeKey(_ scanner: inout JSONScanner, in bytes: RawSpan) throws(SyntaxError) -> Key {
        let position = scanner.at
        if position &+ KeyTable.longest < bytes.byteCount {
            let guess = followers[last]
            let length = table.matchLength(of: guess, at: position, in: bytes)
            if length > 0 {
                last = Int(guess)
                scanner.at = position &+ length
                try scanner.takeColon(in: bytes)
                return Key(number: guess, text: .absent)
            }
        }
        return try lookUp(&scanner, in: bytes)
    }

    @inline(never)
    private mutating func lookUp(_ scanner: inout JSONScanner, in bytes: RawSpan) throws(SyntaxError) -> Key {
        let position = scanner.at
        var key = Key(number: KeyTable.none, text: .absent)
        if position &+ KeyTable.longest < bytes.byteCount { key.number = table.number(at: position, in: bytes) }
        if key.number != KeyTable.none {
            scanner.at = position &+ table.matchLength(of: key.number, at: position, in: bytes)
        } else {
            // It is unknown, has escapes or stands near the end.
            scanner.field = ScopeErrors.noField
            key.text = try scanner.takeString(in: bytes, keeping: true).slice
            key.number = table.number(of: key.text, in: bytes, arena: scanner.arena)
        }
        if key.number != KeyTable.none {
            followers[last] = key.number
            last = Int(key.number)
        }
        try scanner.takeColon(in: bytes)
        return key
    }
}
