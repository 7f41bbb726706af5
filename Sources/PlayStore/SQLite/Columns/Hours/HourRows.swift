internal import SQLite

/// Reads the rows of an hour, and hands them over in sorted columns.
final class HourRows {
    /// Which rows of an hour.
    enum Part {
        /// All, of both tables.
        case whole
        /// All that the columns of an hour were made of: those up to this arrival.
        case before(arrival: Int64)
        /// Those that came when the hour had its columns.
        case delayed(after: Int64)
        /// All that end in a part of the hour, ms within it.
        case within(Range<Int64>)

        fileprivate var sources: [(source: String, parameters: [Int64])] {
            switch self {
            case .whole: PlayTable.allCases.map { ("\($0.rawValue) WHERE hour = ?", []) }
            case .before(let arrival):
                PlayTable.allCases.map { ("\($0.rawValue) WHERE hour = ? AND arrival <= ?", [arrival]) }
            case .delayed(let arrival):
                [("\(PlayTable.delayed.rawValue) WHERE hour = ? AND arrival > ?", [arrival])]
            case .within(let times):
                PlayTable.allCases.map {
                    (
                        "\($0.rawValue) WHERE hour = ? AND ended_ms >= ? AND ended_ms < ?",
                        [times.lowerBound, times.upperBound]
                    )
                }
            }
        }
    }

    /// Where the numbers of sessions come from.
    enum Numbering {
        case given(SessionAliases)
        /// From the runs of the rows themselves.
        case own
    }

    /// A row's place in the order.
    fileprivate struct Key: Comparable {
        /// The run or the session, and the time in the hour.
        var order: UInt64
        var arrival: Int64
        var row: Int32

        static func < (one: Key, other: Key) -> Bool {
            one.order != other.order ? one.order < other.order : one.arrival < other.arrival
        }

        static let timeBits: UInt64 = 22
        var run: Int32 { Int32(truncatingIfNeeded: order >> Self.timeBits) }
        var endedMs: Int32 { Int32(truncatingIfNeeded: order & (1 << Self.timeBits - 1)) }

        mutating func set(run: Int32) {
            order = UInt64(run) << Self.timeBits | UInt64(endedMs)
        }
    }

    /// Plays that are held at once, a hundred bytes each; of an hour with more, the rows are read once for each so many.
    private let mostAtOnce: Int

    private let connection: SQLiteConnection
    private let loop: SQLiteRowLoop
    private let hashes: RunHashes
    private let deviceLookup: SQLiteStatement
    /// Asked now and then: whether to give up.
    private let isOver: () -> Bool

    // Reused.
    private var keys: [Key] = []
    private var values: [Int32] = []
    private var deviceOfRow: [Int32] = []
    private var plays = PlayColumns()

    init(
        _ connection: SQLiteConnection, loop: SQLiteRowLoop, mostAtOnce: Int = 1 << 19,
        isOver: @escaping () -> Bool = { false }
    ) throws(SQLiteError) {
        self.connection = connection
        self.loop = loop
        self.mostAtOnce = mostAtOnce
        self.isOver = isOver
        hashes = try RunHashes(connection)
        deviceLookup = try connection.prepare("SELECT id, device FROM runs WHERE id BETWEEN ? AND ? ORDER BY id")
    }

    /// Reads rows of an hour.
    ///
    /// - Parameters:
    ///   - expected: how many rows there are, as far as is known.
    ///   - backward: whether the last stretch comes first.
    ///   - visit: gets a stretch, and its number in the hour.
    /// - Returns: how many rows there were.
    @discardableResult
    func forEachStretch(
        of hour: Int64, _ part: Part, expected: Int64, _ selection: PlayColumns.Selection, _ numbering: Numbering,
        backward: Bool = false, _ visit: (inout PlayColumns, Int) throws -> Void
    ) throws -> Int {
        let fields = HourFields(selection)
        let isWhole = expected <= mostAtOnce
        // In local variables: each access to a property of a class is checked for others at the same time.
        var keys: [Key] = []
        var values: [Int32] = []
        swap(&keys, &self.keys)
        swap(&values, &self.values)
        defer {
            swap(&keys, &self.keys)
            swap(&values, &self.values)
        }
        keys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        try rows(of: hour, part, isWhole ? fields.names : []) { row in
            keys.append(Self.key(row, number: keys.count))
            if isWhole { try fields.append(row.extracting(Self.placeNames.count...), to: &values) }
        }
        keys.sort()
        try number(&keys, numbering, withDevices: selection.contains(.device))

        let most = PlayColumns.mostPlays
        let stretches = (keys.count + most - 1) / most
        let positions = isWhole ? [] : Self.placesOfRows(keys)
        let step = isWhole ? max(1, stretches) : max(1, mostAtOnce / most)
        let starts = Array(stride(from: 0, to: stretches, by: step))
        for start in backward ? starts.reversed() : starts {
            let held = start * most..<min(keys.count, (start + step) * most)
            if !isWhole { try read(held, of: hour, part, fields, positions, into: &values) }
            let parts = Array(start..<min(stretches, start + step))
            for stretch in backward ? parts.reversed() : parts {
                let range = stretch * most..<min(keys.count, (stretch + 1) * most)
                plays.hour = hour
                gather(keys[range], selection, fields, values, from: isWhole ? nil : held.lowerBound)
                try visit(&plays, stretch)
            }
        }
        return keys.count
    }

    // MARK: A part of an hour, held

    /// The rows of an hour that lie in a part of it, read once for several looks.
    struct Held {
        let hour: Int64
        fileprivate let selection: PlayColumns.Selection
        fileprivate let fields: HourFields
        fileprivate var keys: [Key] = []
        fileprivate var values: [Int32] = []

        func forEachRun(_ visit: (Int32) -> Void) {
            for key in keys { visit(key.run) }
        }
    }

    /// Reads the rows of an hour that end in a part of it, a hundred bytes each.
    ///
    /// - Parameter times: ms within the hour.
    func hold(_ hour: Int64, _ times: Range<Int64>, _ selection: PlayColumns.Selection) throws -> Held {
        let fields = HourFields(selection)
        var held = Held(hour: hour, selection: selection, fields: fields)
        try rows(of: hour, .within(times), fields.names) { row in
            held.keys.append(Self.key(row, number: held.keys.count))
            try fields.append(row.extracting(Self.placeNames.count...), to: &held.values)
        }
        return held
    }

    /// Hands over held rows as ``forEachStretch(of:_:expected:_:_:backward:_:)`` does.
    func forEachStretch(
        of held: Held, _ aliases: SessionAliases, backward: Bool, _ visit: (inout PlayColumns) throws -> Void
    ) throws {
        var keys = held.keys
        keys.sort()
        try number(&keys, .given(aliases), withDevices: held.selection.contains(.device))
        let most = PlayColumns.mostPlays
        let stretches = Array(0..<(keys.count + most - 1) / most)
        for stretch in backward ? stretches.reversed() : stretches {
            plays.hour = held.hour
            gather(
                keys[stretch * most..<min(keys.count, (stretch + 1) * most)], held.selection, held.fields, held.values,
                from: nil)
            try visit(&plays)
        }
    }

    /// Visits the runs of an hour's rows.
    func forEachRun(of hour: Int64, _ part: Part, _ visit: (Int32) -> Void) throws {
        for (source, parameters) in part.sources {
            try loop.rows([PlayColumn.run.name], from: source, [hour] + parameters) { row in
                visit(Int32(truncatingIfNeeded: max(0, row[0])))
            }
        }
    }

    // MARK: Reading

    private static let placeNames = [PlayColumn.run.name, PlayColumn.endedMs.name, PlayColumn.arrival.name]

    private static func key(_ row: Span<Int64>, number: Int) -> Key {
        let order = UInt64(max(0, row[0])) << Key.timeBits | UInt64(bitPattern: row[1]) & (1 << Key.timeBits - 1)
        return Key(order: order, arrival: row[2], row: Int32(truncatingIfNeeded: number))
    }

    private func rows(
        of hour: Int64, _ part: Part, _ names: [String], _ visit: (Span<Int64>) throws -> Void
    ) throws {
        var count = 0
        for (source, parameters) in part.sources {
            try loop.rows(Self.placeNames + names, from: source, [hour] + parameters) { row in
                count &+= 1
                if count & 0xFFF == 0, isOver() { throw SQLiteError.interrupted }
                guard row[0] <= Int32.max, 0..<3_600_000 ~= row[1] else { throw SQLiteError.impossibleRow }
                try visit(row)
            }
        }
    }

    /// For each row in the order of reading its place in the order of the keys.
    private static func placesOfRows(_ keys: [Key]) -> [Int32] {
        var positions = [Int32](repeating: 0, count: keys.count)
        for position in keys.indices { positions[Int(keys[position].row)] = Int32(truncatingIfNeeded: position) }
        return positions
    }

    /// Reads what belongs to a range of places.
    private func read(
        _ range: Range<Int>, of hour: Int64, _ part: Part, _ fields: HourFields, _ positions: [Int32],
        into values: inout [Int32]
    ) throws {
        if values.count < range.count * fields.words {
            values = [Int32](repeating: 0, count: range.count * fields.words)
        }
        var row = 0
        try rows(of: hour, part, fields.names) { numbers in
            let position = Int(positions[row])
            row += 1
            guard range.contains(position) else { return }
            try fields.set(
                numbers.extracting(Self.placeNames.count...), in: &values,
                at: (position - range.lowerBound) * fields.words)
        }
    }

    // MARK: Sessions

    /// Gives the keys the numbers of their sessions in the place of runs.
    private func number(_ keys: inout [Key], _ numbering: Numbering, withDevices: Bool) throws {
        var runs: [Int32] = []
        for key in keys where key.run != runs.last { runs.append(key.run) }
        if withDevices { try findDevices(of: runs, keys) }
        let aliases: SessionAliases
        switch numbering {
        case .given(let given): aliases = given
        case .own:
            guard let last = runs.last else { return }
            try hashes.check(highest: Int64(last))
            var set = RunSet(in: max(1, runs.first { $0 > 0 } ?? 1)...max(1, last))
            for run in runs { set.insert(run) }
            aliases = try SessionAliases(among: set, hashes, on: connection)
        }
        guard runs.contains(where: { aliases.canonical($0) != $0 }) else { return }
        for index in keys.indices {
            keys[index].set(run: aliases.canonical(keys[index].run))
        }
        keys.sort()
    }

    /// Looks up the devices of runs, which are ascending, for each row.
    private func findDevices(of runs: [Int32], _ keys: [Key]) throws {
        var deviceOfRow = [Int32](repeating: 0, count: keys.count)
        var found = [Int32](repeating: 0, count: runs.count)
        var next = 0
        while next < runs.count {
            // Neighbours come in one go, and what lies between them is passed over.
            var last = next
            while last + 1 < runs.count, runs[last + 1] - runs[last] <= Self.nearRuns { last += 1 }
            deviceLookup.reset()
            try deviceLookup.bind(1, Int64(runs[next]))
            try deviceLookup.bind(2, Int64(runs[last]))
            while try deviceLookup.step() {
                let run = deviceLookup.int(0)
                while next <= last, runs[next] < run { next += 1 }
                if next <= last, runs[next] == run { found[next] = Int32(clamping: max(0, deviceLookup.int(1))) }
            }
            next = last + 1
        }
        deviceLookup.reset()
        var position = 0
        for key in keys {
            while runs[position] != key.run { position += 1 }
            deviceOfRow[Int(key.row)] = found[position]
        }
        self.deviceOfRow = deviceOfRow
    }

    /// Looking a run up takes as long as passing over so many.
    private static let nearRuns: Int32 = 12

    // MARK: Columns

    /// - Parameter start: the place of the first row that is held; nil where all rows are, in the order of reading.
    private func gather(
        _ keys: ArraySlice<Key>, _ selection: PlayColumns.Selection, _ fields: HourFields, _ values: [Int32],
        from start: Int?
    ) {
        plays.count = keys.count
        for column in PlayColumns.Column.allCases where selection.contains(column) { plays.makeRoom(for: column) }
        let rows = keys.indices.map { position in
            if let start { position - start } else { Int(keys[position].row) }
        }
        let words = fields.words
        for (column, word) in fields.positions {
            switch column.storage {
            case .narrow(let path):
                let least = Int32(truncatingIfNeeded: column.isEntry ? 0 : column.least)
                Self.fill(&plays[keyPath: path], rows) { max(least, values[$0 &* words &+ word]) }
            case .wide(let path):
                Self.fill(&plays[keyPath: path], rows) { row in
                    let low = UInt32(bitPattern: values[row &* words &+ word])
                    return Int64(values[row &* words &+ word &+ 1]) << 32 | Int64(low)
                }
            case .bits(let path):
                Self.fill(&plays[keyPath: path], rows) { UInt8(truncatingIfNeeded: values[$0 &* words &+ word]) }
            }
        }
        let positions = Array(keys.indices)
        if selection.contains(.session) { Self.fill(&plays.session, positions) { keys[$0].run } }
        if selection.contains(.endedMs) { Self.fill(&plays.endedMs, positions) { keys[$0].endedMs } }
        guard selection.contains(.device) else { return }
        let devices = deviceOfRow
        Self.fill(&plays.device, positions) { devices[Int(keys[$0].row)] }
    }

    @inline(__always)
    private static func fill<Value>(_ column: inout [Value], _ positions: [Int], _ value: (Int) -> Value) {
        for index in positions.indices { column[index] = value(positions[index]) }
    }
}
