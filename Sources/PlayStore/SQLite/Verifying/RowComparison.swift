internal import PlaybackEvents
internal import SQLite

/// Holds a row against the line of the archive that it came from, value by value.
struct RowComparison {
    /// A column whose value is not what the line says.
    struct Difference: Equatable {
        /// The column's name in the view `plays`, or in the table where the view does not have it.
        var column: String
        var expected: String
        var found: String
    }

    /// A play of the archive as it would be stored, and where its texts stand.
    struct Line {
        var play: Play
        var stored: StoredPlay
        var text: [UInt8]

        var hour: PlayHour { PlayHour(of: stored.endedAt) }
    }

    private var videos: StoredTexts
    private var errors: StoredTexts
    private var tagSets: StoredTexts
    private var deliveries: StoredTexts
    private var devices: StoredTexts
    private var runs: StoredTexts

    init(_ dictionaries: DictionaryTables) {
        videos = StoredTexts(dictionaries.videos)
        errors = StoredTexts(dictionaries.errors)
        tagSets = StoredTexts(dictionaries.tagSets)
        deliveries = StoredTexts(dictionaries.deliveries)
        devices = StoredTexts(dictionaries.devices)
        runs = StoredTexts(dictionaries.runs)
    }

    // MARK: The row of a line

    private static let numbers = PlayColumn.allCases.filter { !$0.isReference && $0 != .playId && $0 != .hour }

    /// The first column in which a row differs from the line that it was made of; nil when all are the same.
    ///
    /// The row's key is the line's: it was found by that.
    mutating func difference(_ row: PlayStatements.Found, from line: Line) throws(SQLiteError) -> Difference? {
        let hour = line.hour
        for column in Self.numbers {
            let value = line.stored.value(of: column, in: hour)
            if !row.holds(column, value) { return Difference(column.name, value, row.words(column)) }
        }
        if let difference = try plain(.video, "video_id", line.play.videoId, row, line, &videos) { return difference }
        if let difference = try plain(.error, "error_code", line.play.error, row, line, &errors) { return difference }
        if let difference = try plain(.tagSet, "tags", line.play.tags, row, line, &tagSets) { return difference }
        if let difference = try delivery(row, line) { return difference }
        return try run(row, line)
    }

    /// A reference to a dictionary of one text.
    private func plain(
        _ column: PlayColumn, _ name: String, _ slice: TextSlice, _ row: PlayStatements.Found, _ line: Line,
        _ texts: inout StoredTexts
    ) throws(SQLiteError) -> Difference? {
        let expected = slice.isAbsent ? nil : [UInt8](line.text[slice.range])
        let reference = row.intOrNil(column)
        if try texts.is(reference, expected) { return nil }
        return Difference(
            column: name, expected: Self.words(expected),
            found: try Self.words(reference, in: &texts) { Self.words($0) })
    }

    private mutating func delivery(_ row: PlayStatements.Found, _ line: Line) throws(SQLiteError) -> Difference? {
        let expected = line.deliveryKey
        let reference = row.intOrNil(.delivery)
        if try deliveries.is(reference, expected) { return nil }
        return try Self.difference(
            in: ["cdn", "cdn_region", "network", "source"], and: "region_from", expected, reference, &deliveries)
    }

    private mutating func run(_ row: PlayStatements.Found, _ line: Line) throws(SQLiteError) -> Difference? {
        let session = line.play.sessionId
        let device = line.deviceKey
        guard let reference = row.intOrNil(.run) else {
            guard !session.isAbsent || device != nil else { return nil }
            return Difference(column: "run", expected: "a session or a device", found: "NULL")
        }
        guard case .key(let key) = try runs.entry(reference) else {
            return Difference(
                column: "run", expected: "an entry", found: try Self.words(reference, in: &runs) { Self.words($0) })
        }
        var reader = DictionaryKey(key)
        let (foundSession, foundDevice) = (reader.bytes(), reader.number())
        let expected = session.isAbsent ? [] : [UInt8](line.text[session.range])
        if foundSession != expected {
            return Difference(
                column: "session_id", expected: Self.words(expected), found: Self.words(foundSession))
        }
        if try devices.is(foundDevice == 0 ? nil : foundDevice, device) { return nil }
        return try Self.difference(
            in: ["app_version", "os_version", "device_model", "player"], and: nil, device,
            foundDevice == 0 ? nil : foundDevice, &devices)
    }

    /// Which of several values of one entry differs.
    private static func difference(
        in texts: [String], and number: String?, _ expected: [UInt8]?, _ reference: Int64?,
        _ dictionary: inout StoredTexts
    ) throws(SQLiteError) -> Difference {
        let all = texts.joined(separator: ", ")
        guard let reference, case .key(let key) = try dictionary.entry(reference), let expected else {
            return Difference(
                column: all, expected: expected == nil ? "NULL" : "an entry",
                found: try words(reference, in: &dictionary) { _ in "an entry" })
        }
        var (one, other) = (DictionaryKey(expected), DictionaryKey(key))
        for text in texts {
            let (expected, found) = (one.bytes(), other.bytes())
            if expected != found {
                return Difference(column: text, expected: words(expected), found: words(found))
            }
        }
        return Difference(column: number ?? all, expected: "\(one.number())", found: "\(other.number())")
    }

    // MARK: The row of a first, for its repeat

    /// Whether a repeat says something else than the row of the first, as ``PlayComparison`` decides it.
    mutating func conflicts(_ line: Line, with row: PlayStatements.Found) throws(SQLiteError) -> Bool {
        let hour = line.hour
        for column in PlayColumn.contentNumbers
        where line.stored.value(of: column, in: hour) != row.intOrNil(column) { return true }
        if max(1, Int64(line.stored.attempt)) != row.intOrNil(.attempt) ?? 1 { return true }
        let clock = row.intOrNil(.clockLead).map { row.int(.hour) &* PlayHour.length &+ row.int(.endedMs) &+ $0 }
        if (line.stored.hasClientClock ? line.stored.clientEndedAt : nil) != clock { return true }
        if try plain(.video, "", line.play.videoId, row, line, &videos) != nil { return true }
        if try plain(.error, "", line.play.error, row, line, &errors) != nil { return true }
        if try plain(.tagSet, "", line.play.tags, row, line, &tagSets) != nil { return true }
        if try Self.sent(line.deliveryKey) != Self.sent(row.intOrNil(.delivery), in: &deliveries) { return true }
        return try run(row, line) != nil
    }

    /// The texts of a delivery without a region that the server took from a header.
    private static func sent(_ key: [UInt8]?) -> [[UInt8]] {
        guard let key else { return [[], [], [], []] }
        var reader = DictionaryKey(key)
        var texts = (0..<4).map { _ in reader.bytes() }
        if reader.number() == Int64(Play.RegionSource.header.rawValue) { texts[1] = [] }
        return texts
    }

    private static func sent(_ reference: Int64?, in deliveries: inout StoredTexts) throws(SQLiteError) -> [[UInt8]] {
        guard let reference, case .key(let key) = try deliveries.entry(reference) else { return sent(nil) }
        return sent(key)
    }

    // MARK: Words

    static func words(_ text: [UInt8]?) -> String {
        guard let text, !text.isEmpty else { return "NULL" }
        return String(decoding: text.prefix(200), as: UTF8.self).debugDescription
    }

    private static func words(
        _ reference: Int64?, in texts: inout StoredTexts, _ key: ([UInt8]) -> String
    ) throws(SQLiteError) -> String {
        guard let reference else { return "NULL" }
        return switch try texts.entry(reference) {
        case .missing: "entry \(reference), which is not there"
        case .mistyped: "entry \(reference), which is no text"
        case .key(let bytes): key(bytes)
        }
    }
}

extension RowComparison.Difference {
    init(_ column: String, _ expected: Int64?, _ found: String) {
        self.init(column: column, expected: expected.map(String.init) ?? "NULL", found: found)
    }
}

extension RowComparison.Line {
    /// The entry of the delivery, nil when all of its texts are absent.
    fileprivate var deliveryKey: [UInt8]? {
        guard var key = key(of: play.cdn, play.cdnRegion, play.network, play.source) else { return nil }
        DictionaryKey.append(Int64(play.regionFrom?.rawValue ?? 0), to: &key)
        return key
    }

    fileprivate var deviceKey: [UInt8]? { key(of: play.appVersion, play.osVersion, play.deviceModel, play.player) }

    private func key(of slices: TextSlice...) -> [UInt8]? {
        guard slices.contains(where: { !$0.isAbsent }) else { return nil }
        var key: [UInt8] = []
        for slice in slices { DictionaryKey.append(text.span.bytes.extracting(slice.range), to: &key) }
        return key
    }
}

extension PlayColumn {
    /// The number of an entry in a dictionary.
    fileprivate var isReference: Bool { [.delivery, .run, .error, .video, .tagSet].contains(self) }

    /// Numbers that the client sent, apart from its clock and the attempt.
    fileprivate static let contentNumbers: [PlayColumn] = [
        .startupMs, .stalls, .stalledMs, .watchedMs, .avgBitrate, .bytes, .waitedMs, .memoryBytes, .accessLogStartupMs,
        .playerStalls, .playerStalledMs,
    ]
}

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
