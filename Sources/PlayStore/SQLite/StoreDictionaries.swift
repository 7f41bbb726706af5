internal import PlaybackEvents
internal import SQLite

/// All dictionaries of the database, and how a play's texts are put into them.
final class StoreDictionaries {
    let videos: TextDictionary
    let errors: TextDictionary
    let tagSets: TextDictionary
    let senders: TextDictionary
    let deliveries: TextDictionary
    let devices: TextDictionary
    let runs: TextDictionary
    /// Reused.
    private var key: [UInt8] = []

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

    private var all: [TextDictionary] { [videos, errors, tagSets, senders, deliveries, devices, runs] }

    func flush() throws(SQLiteError) {
        for dictionary in all { try dictionary.flush() }
    }

    func committed() {
        for dictionary in all { dictionary.committed() }
    }

    func reload() throws(SQLiteError) {
        for dictionary in all { try dictionary.reload() }
    }

    /// Fills in the numbers of a play's texts.
    ///
    /// - Parameter text: what the play's slices refer to.
    func encode(_ play: Play, text: UnsafeRawBufferPointer, into stored: inout StoredPlay) {
        func bytes(_ slice: TextSlice) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: text[slice.range]) }
        stored.video = videos.id(of: bytes(play.videoId))
        if !play.error.isAbsent { stored.error = errors.id(of: bytes(play.error)) }
        if !play.tags.isAbsent { stored.tagSet = tagSets.id(of: bytes(play.tags)) }

        if !(play.cdn.isAbsent && play.cdnRegion.isAbsent && play.network.isAbsent && play.source.isAbsent) {
            key.removeAll(keepingCapacity: true)
            for slice in [play.cdn, play.cdnRegion, play.network, play.source] {
                DictionaryKey.append(bytes(slice), to: &key)
            }
            DictionaryKey.append(Int64(play.regionFrom?.rawValue ?? 0), to: &key)
            stored.delivery = key.withUnsafeBytes { deliveries.id(of: $0) }
        }

        var device: Int64 = 0
        if !(play.appVersion.isAbsent && play.osVersion.isAbsent && play.deviceModel.isAbsent && play.player.isAbsent) {
            key.removeAll(keepingCapacity: true)
            for slice in [play.appVersion, play.osVersion, play.deviceModel, play.player] {
                DictionaryKey.append(bytes(slice), to: &key)
            }
            device = key.withUnsafeBytes { devices.id(of: $0) }
        }
        if device != 0 || !play.sessionId.isAbsent {
            key.removeAll(keepingCapacity: true)
            DictionaryKey.append(bytes(play.sessionId), to: &key)
            DictionaryKey.append(device, to: &key)
            stored.run = key.withUnsafeBytes { runs.id(of: $0) }
        }
    }
}
