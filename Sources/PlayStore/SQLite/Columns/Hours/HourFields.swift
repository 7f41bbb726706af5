internal import SQLite

/// What is read of a row beside its place, in words of 32 bits.
struct HourFields {
    /// The words at which columns are.
    private(set) var positions: [(column: PlayColumns.Column, word: Int)] = []
    private(set) var names: [String] = []
    private var wide: [Bool] = []
    private var least: [Int64] = []
    private(set) var words = 0

    init(_ selection: PlayColumns.Selection) {
        for column in PlayColumns.Column.allCases where selection.contains(column) {
            guard let name = column.rowColumn?.name else { continue }
            names.append(name)
            positions.append((column, words))
            if case .wide = column.storage { wide.append(true) } else { wide.append(false) }
            least.append(column.least)
            words += wide.last == true ? 2 : 1
        }
    }

    /// Throws for numbers that no play can have: damage has to end a report, not the process.
    private func check(_ value: Int64, _ index: Int) throws(SQLiteError) {
        guard value >= least[index], value <= (wide[index] ? 1 << 54 : Int64(Int32.max)) else { throw .impossibleRow }
    }

    func append(_ row: Span<Int64>, to values: inout [Int32]) throws(SQLiteError) {
        for index in wide.indices {
            try check(row[index], index)
            values.append(Int32(truncatingIfNeeded: row[index]))
            if wide[index] { values.append(Int32(truncatingIfNeeded: row[index] >> 32)) }
        }
    }

    func set(_ row: Span<Int64>, in values: inout [Int32], at start: Int) throws(SQLiteError) {
        for index in wide.indices {
            try check(row[index], index)
            let word = start + positions[index].word
            values[word] = Int32(truncatingIfNeeded: row[index])
            if wide[index] { values[word + 1] = Int32(truncatingIfNeeded: row[index] >> 32) }
        }
    }
}

extension PlayColumns.Column {
    /// The column of a row that it is read from; nil for those that come from the row's place and its run.
    fileprivate var rowColumn: PlayColumn? {
        switch self {
        case .session, .endedMs, .device: nil
        case .context: .delivery
        case .error: .error
        case .startupMs: .startupMs
        case .stalls: .stalls
        case .stalledMs: .stalledMs
        case .watchedMs: .watchedMs
        case .avgBitrate: .avgBitrate
        case .bytes: .bytes
        case .waitedMs: .waitedMs
        case .memoryBytes: .memoryBytes
        case .attempt: .attempt
        case .accessLogStartupMs: .accessLogStartupMs
        case .playerStalls: .playerStalls
        case .playerStalledMs: .playerStalledMs
        case .flags: .flags
        case .lagMs: .lagMs
        case .tags: .tagSet
        case .video: .video
        }
    }

    /// The least number that a row may have in it: -1 stands for NULL where a play need not have the value.
    var least: Int64 {
        switch self {
        case .stalls, .stalledMs, .watchedMs, .flags: 0
        case .lagMs: -1 << 54
        default: -1
        }
    }

    /// Its values are entries of a dictionary, 0 for none.
    var isEntry: Bool {
        switch self {
        case .context, .error, .tags, .video: true
        default: false
        }
    }
}
