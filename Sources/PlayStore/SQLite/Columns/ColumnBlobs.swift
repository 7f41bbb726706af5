/// A stretch of an hour as blobs, one a column. The sessions are three of them: the first number, the steps from one to the
/// next, and how many plays each has.
struct ColumnBlobs {
    /// Where a blob lies: an hour, a stretch of it, and which part of the stretch it is.
    struct Key: Equatable {
        var hour: Int64
        var stretch: Int
        var part: Part

        /// The key of its row. All blobs of an hour are neighbours.
        var id: Int64 { Self.first(of: hour) + Int64(stretch) << 6 + Int64(part.number) }

        /// Less than all keys of an hour, and more than those of the hour before.
        static func first(of hour: Int64) -> Int64 { hour << 20 }

        /// What a row of this key holds.
        static func name(ofId id: Int64) -> String {
            let number = UInt8(id & 63)
            let parts = [Part.firstSession, .sessionSteps, .sessionCounts] + columns.map(Part.column)
            return parts.first { $0.number == number }?.name ?? "\(number)"
        }

        /// Goes into the check, so that no blob passes for another.
        var seed: UInt64 { UInt64(bitPattern: id) &* 0x9FB2_1C65_1E98_DF25 }
    }

    enum Part: Equatable {
        case firstSession, sessionSteps, sessionCounts
        case column(PlayColumns.Column)

        var number: UInt8 {
            switch self {
            case .firstSession: 0
            case .sessionSteps: 1
            case .sessionCounts: 2
            case .column(let column): column.rawValue
            }
        }

        var name: String {
            switch self {
            case .firstSession: "firstSession"
            case .sessionSteps: "sessionSteps"
            case .sessionCounts: "sessionCounts"
            case .column(let column): "\(column)"
            }
        }
    }

    /// Columns that stand in blobs; the others are in rows alone.
    static let columns = PlayColumns.Column.allCases.filter { $0 != .session && $0 != .video }
    static let selection = PlayColumns.Selection(PlayColumns.Column.allCases.filter { $0 != .video }.map(\.selection))

    // MARK: Writing

    /// The blobs of a stretch, in the order of their keys.
    ///
    /// - Parameter plays: at least one, with all columns of ``selection``.
    static func encode(_ plays: PlayColumns, stretch: Int) -> [(key: Key, words: [UInt32])] {
        func key(_ part: Part) -> Key { Key(hour: plays.hour, stretch: stretch, part: part) }
        let sessions = SessionList(plays.session.span.extracting(0..<plays.count))
        var blobs: [(key: Key, words: [UInt32])] = []
        for (part, values) in [
            (Part.firstSession, [sessions.first]), (.sessionSteps, sessions.steps), (.sessionCounts, sessions.counts),
        ] {
            blobs.append((key(part), ColumnPacking.pack(values, count: values.count, seed: key(part).seed)))
        }
        for column in columns {
            let key = key(.column(column))
            blobs.append((key, words(of: column, plays, seed: key.seed)))
        }
        return blobs
    }

    private static func words(of column: PlayColumns.Column, _ plays: PlayColumns, seed: UInt64) -> [UInt32] {
        switch column.storage {
        case .narrow(let path): ColumnPacking.pack(plays[keyPath: path], count: plays.count, seed: seed)
        case .wide(let path): ColumnPacking.pack(plays[keyPath: path], count: plays.count, seed: seed)
        case .bits(let path): ColumnPacking.pack(plays[keyPath: path], count: plays.count, seed: seed)
        }
    }

    // MARK: Reading

    // Reused.
    private var first = [Int32](repeating: 0, count: PlayColumns.mostPlays)
    private var steps = [Int32](repeating: 0, count: PlayColumns.mostPlays)
    private var counts = [Int32](repeating: 0, count: PlayColumns.mostPlays)

    /// Reads columns of a stretch.
    ///
    /// - Parameters:
    ///   - plays: gets them; its hour and count are those of the stretch.
    ///   - number: the number that a session goes by, of the one that stands in the blobs.
    ///   - words: lends the words of a blob.
    /// - Throws: ``ColumnError`` for a blob that can't be read.
    mutating func decode(
        _ selection: PlayColumns.Selection, of stretch: Int, into plays: inout PlayColumns, number: (Int32) -> Int32,
        words: (Key) throws -> [UInt32]
    ) throws {
        for column in Self.columns where selection.contains(column) {
            plays.makeRoom(for: column)
            let key = Key(hour: plays.hour, stretch: stretch, part: .column(column))
            let words = try words(key)
            let count = try Self.reading(key) { () throws(ColumnPacking.Damage) in
                switch column.storage {
                case .narrow(let path):
                    try ColumnPacking.unpack(words.span, seed: key.seed, into: &plays[keyPath: path])
                case .wide(let path):
                    try ColumnPacking.unpack(words.span, seed: key.seed, into: &plays[keyPath: path])
                case .bits(let path):
                    try ColumnPacking.unpack(words.span, seed: key.seed, into: &plays[keyPath: path])
                }
            }
            guard count == plays.count else {
                throw ColumnError(key, "it has \(count) plays of \(plays.count)")
            }
        }
        guard selection.contains(.session) else { return }
        plays.makeRoom(for: .session)
        var index = 0
        let hour = plays.hour
        let count = plays.count
        try forEachSession(of: stretch, hour: hour, words: words) { session, sessionPlays in
            guard sessionPlays <= count - index else { return false }
            var target = plays.session.mutableSpan
            let number = number(session)
            for play in index..<index + sessionPlays { target[play] = number }
            index += sessionPlays
            return true
        }
        guard index == plays.count else {
            throw ColumnError(
                Key(hour: plays.hour, stretch: stretch, part: .sessionCounts), "they are not those of \(count) plays")
        }
    }

    /// Visits the sessions of a stretch and the number of their plays, as long as it is told to go on.
    mutating func forEachSession(
        of stretch: Int, hour: Int64, words: (Key) throws -> [UInt32], _ visit: (Int32, Int) -> Bool
    ) throws {
        let firstKey = Key(hour: hour, stretch: stretch, part: .firstSession)
        let stepsKey = Key(hour: hour, stretch: stretch, part: .sessionSteps)
        let countsKey = Key(hour: hour, stretch: stretch, part: .sessionCounts)
        let one = try Self.unpack(firstKey, words, into: &first)
        let sessions = try Self.unpack(stepsKey, words, into: &steps)
        guard one == 1, try Self.unpack(countsKey, words, into: &counts) == sessions else {
            throw ColumnError(countsKey, "they are not those of \(sessions) sessions")
        }
        var position: Int64 = 0
        for index in 0..<sessions {
            position += Int64(steps[index])
            guard let session = Int32(exactly: position == 0 ? 0 : Int64(first[0]) + position - 1), session >= 0 else {
                throw ColumnError(stepsKey, "it leads to no session")
            }
            guard counts[index] > 0, visit(session, Int(counts[index])) else {
                throw ColumnError(countsKey, "it has more plays than the stretch")
            }
        }
    }

    private static func unpack(
        _ key: Key, _ words: (Key) throws -> [UInt32], into values: inout [Int32]
    ) throws -> Int {
        let words = try words(key)
        return try reading(key) { () throws(ColumnPacking.Damage) in
            try ColumnPacking.unpack(words.span, seed: key.seed, into: &values)
        }
    }

    private static func reading(_ key: Key, _ body: () throws(ColumnPacking.Damage) -> Int) throws(ColumnError) -> Int {
        do {
            return try body()
        } catch {
            throw ColumnError(key, error.reason)
        }
    }
}

/// The sessions of a stretch, from the least number on; plays of none come first.
private struct SessionList {
    /// The least number of a session, 0 without any.
    private(set) var first: Int32 = 0
    /// From one to the next: from none, 0, or ``first``, 1, on.
    private(set) var steps: [Int32] = []
    /// Plays of each.
    private(set) var counts: [Int32] = []

    init(_ sessions: Span<Int32>) {
        var last: Int32 = 0
        var current: Int32 = -1
        for index in sessions.indices {
            if sessions[index] == current {
                counts[counts.count - 1] += 1
                continue
            }
            current = sessions[index]
            if first == 0 { first = current }
            let position = current == 0 ? 0 : current - first + 1
            steps.append(position - last)
            counts.append(1)
            last = position
        }
    }
}

/// Columns of an hour that can't be read.
package struct ColumnError: Error, Equatable, CustomStringConvertible {
    /// UTC hours since 1970.
    package let hour: Int64
    package let column: String
    private let stretch: Int
    private let reason: String

    init(_ key: ColumnBlobs.Key, _ reason: String) {
        hour = key.hour
        column = key.part.name
        stretch = key.stretch
        self.reason = reason
    }

    package var description: String {
        "the column \(column) of UTC hour \(hour) since 1970, stretch \(stretch), can't be read: \(reason);"
            + " 'qoe rebuild' makes the database anew from the archive"
    }
}
