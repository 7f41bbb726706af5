internal import PlaybackEvents
internal import SQLite

/// The numbers of all texts, as lines that are gathered get them: a value that knows nothing of the database any more.
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
    init(_ tables: DictionaryTables, hash: SeededHash, cacheBytes: Int) throws(SQLiteError) {
        // Most for what has the most values.
        let large = cacheBytes * 3 / 10
        let small = cacheBytes / 20
        videos = try TextDictionary(tables.videos, hash: hash, cacheBytes: large)
        runs = try TextDictionary(tables.runs, hash: hash, cacheBytes: large)
        senders = try TextDictionary(tables.senders, hash: hash, cacheBytes: large / 2)
        errors = try TextDictionary(tables.errors, hash: hash, cacheBytes: small)
        tagSets = try TextDictionary(tables.tagSets, hash: hash, cacheBytes: small)
        deliveries = try TextDictionary(tables.deliveries, hash: hash, cacheBytes: small)
        devices = try TextDictionary(tables.devices, hash: hash, cacheBytes: small)
    }

    /// Hands over the values that the tables do not have yet.
    mutating func takeAdditions() -> DictionaryAdditions {
        DictionaryAdditions(
            videos: videos.takeAdditions(), errors: errors.takeAdditions(), tagSets: tagSets.takeAdditions(),
            senders: senders.takeAdditions(), deliveries: deliveries.takeAdditions(), devices: devices.takeAdditions(),
            runs: runs.takeAdditions())
    }
}

/// Values that the dictionaries' tables do not have yet.
struct DictionaryAdditions {
    var videos: [TextDictionary.Addition] = []
    var errors: [TextDictionary.Addition] = []
    var tagSets: [TextDictionary.Addition] = []
    var senders: [TextDictionary.Addition] = []
    var deliveries: [TextDictionary.Addition] = []
    var devices: [TextDictionary.Addition] = []
    var runs: [TextDictionary.Addition] = []
}
