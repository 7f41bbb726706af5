internal import PlaybackEvents
internal import Reports
internal import SQLite

/// Texts of the store's dictionaries by their entries; entry 0 is no text.
final class PlayDictionaries {
    /// What is known of entries is kept by their numbers up to this one: of a larger one, which damage may have made, each play
    /// asks anew.
    static let mostKept = 1 << 24

    private let connection: SQLiteConnection
    private var lookups: [String: SQLiteStatement] = [:]

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// What an entry says of a dimension; nil when it says nothing, and for days and hours.
    func value(of dimension: PlayDimension, in entry: Int64) throws(SQLiteError) -> ByteText? {
        guard entry > 0 else { return nil }
        return switch dimension {
        case .cdnRegion, .cdn, .network, .source:
            try text("SELECT \(dimension.column) FROM deliveries WHERE id = ?", entry)
        case .appVersion, .osVersion, .deviceModel, .player:
            try text("SELECT \(dimension.column) FROM devices WHERE id = ?", entry)
        case .videoId: try text("SELECT video_id FROM videos WHERE id = ?", entry)
        case .errorCode: try text("SELECT error_code FROM errors WHERE id = ?", entry)
        case .tag(let name): try text("SELECT json_extract(tags, '$.\(name)') FROM tag_sets WHERE id = ?", entry)
        case .endedBy: UInt8(exactly: entry).flatMap(Play.Ending.init).map { ByteText($0.name) }
        case .day, .hour: nil
        }
    }

    /// Which count the region of a context belongs to.
    func regionCount(of context: Int64) throws(SQLiteError) -> PlayCount {
        guard context > 0 else { return .withoutRegion }
        let lookup = try lookup("SELECT region_from FROM deliveries WHERE id = ?", context)
        defer { lookup.reset() }
        guard try lookup.step() else { return .withoutRegion }
        return switch UInt8(exactly: lookup.int(0)).flatMap(Play.RegionSource.init(rawValue:)) {
        case .event: .regionFromEvent
        case .context: .regionFromContext
        case .header: .regionFromHeader
        case nil: .withoutRegion
        }
    }

    private func lookup(_ sql: String, _ entry: Int64) throws(SQLiteError) -> SQLiteStatement {
        let statement: SQLiteStatement
        if let known = lookups[sql] {
            statement = known
        } else {
            statement = try connection.prepare(sql)
            lookups[sql] = statement
        }
        try statement.bind(1, entry)
        return statement
    }

    private func text(_ sql: String, _ entry: Int64) throws(SQLiteError) -> ByteText? {
        let lookup = try lookup(sql, entry)
        defer { lookup.reset() }
        guard try lookup.step(), !lookup.isNull(0) else { return nil }
        return ByteText(lookup.bytes(0))
    }
}

/// The values of one dimension: entries that hold the same text have the same number.
struct DimensionValues {
    let dimension: PlayDimension
    private(set) var values: [ByteText] = []
    private var numbers: [ByteText: Int32] = [:]
    /// By entry; -1 is not looked up yet.
    private var byEntry: [Int32] = []

    init(_ dimension: PlayDimension) {
        self.dimension = dimension
    }

    /// The number of an entry's value, that of the dimension's own word for no value among them.
    mutating func number(of entry: Int32, _ dictionaries: PlayDictionaries) throws(SQLiteError) -> Int32 {
        let index = Int(entry)
        if index < byEntry.count, byEntry[index] >= 0 { return byEntry[index] }
        let number = number(of: try dictionaries.value(of: dimension, in: Int64(entry)) ?? ByteText(dimension.absent))
        guard index < PlayDictionaries.mostKept else { return number }
        while byEntry.count <= index { byEntry.append(-1) }
        byEntry[index] = number
        return number
    }

    /// The number of a value by itself.
    mutating func number(of value: ByteText) -> Int32 {
        if let known = numbers[value] { return known }
        let number = Int32(values.count)
        values.append(value)
        numbers[value] = number
        return number
    }
}
