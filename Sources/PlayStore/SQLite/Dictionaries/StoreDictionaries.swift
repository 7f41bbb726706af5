internal import PlaybackEvents
internal import SQLite

/// All dictionaries of the database.
struct StoreDictionaries {
    var videos: TextDictionary
    var errors: TextDictionary
    var tagSets: TextDictionary
    var senders: TextDictionary
    var deliveries: TextDictionary
    var devices: TextDictionary
    var runs: TextDictionary
    /// Reused.
    var key: [UInt8] = []

    /// - Parameter cacheBytes: the memory that all caches may take together.
    init(_ connection: SQLiteConnection, hash: SeededHash, cacheBytes: Int) throws(SQLiteError) {
        // Most for what has the most values.
        let large = cacheBytes * 3 / 10
        let small = cacheBytes / 20
        videos = try TextDictionary(.videos, on: connection, hash: hash, cacheBytes: large)
        runs = try TextDictionary(.runs, on: connection, hash: hash, cacheBytes: large)
        senders = try TextDictionary(.senders, on: connection, hash: hash, cacheBytes: large / 2)
        errors = try TextDictionary(.errors, on: connection, hash: hash, cacheBytes: small)
        tagSets = try TextDictionary(.tagSets, on: connection, hash: hash, cacheBytes: small)
        deliveries = try TextDictionary(.deliveries, on: connection, hash: hash, cacheBytes: small)
        devices = try TextDictionary(.devices, on: connection, hash: hash, cacheBytes: small)
    }

    /// Hands over the values that the tables do not have yet.
    mutating func takeAdditions() -> (runs: DictionaryAdditions, others: [DictionaryAdditions]) {
        let others = [
            videos.takeAdditions(), errors.takeAdditions(), tagSets.takeAdditions(), senders.takeAdditions(),
            deliveries.takeAdditions(), devices.takeAdditions(),
        ]
        return (runs.takeAdditions(), others)
    }

    /// Begins anew with what the tables have.
    mutating func reload() throws(SQLiteError) {
        try videos.reload()
        try errors.reload()
        try tagSets.reload()
        try senders.reload()
        try deliveries.reload()
        try devices.reload()
        try runs.reload()
    }
}
