/// How a ``SQLiteStore`` works.
package struct StoreConfiguration: Sendable {
    /// SQLite's page cache, in bytes.
    package var cacheBytes = 24 << 20
    /// The write-ahead log is copied into the database when it has so many bytes.
    package var checkpointBytes = 64 << 20
    /// The memory of all dictionaries' caches together, in bytes.
    package var dictionaryBytes = 16 << 20
    /// How long one attempt waits for another connection's lock, in ms; the follower tries again.
    package var busyTimeoutMs: Int32 = 250
    /// How long a commit may go on when the process ends, in seconds: the rest of the ten that a stop may take is for others.
    package var secondsToEnd = 4

    package init() {}
}
