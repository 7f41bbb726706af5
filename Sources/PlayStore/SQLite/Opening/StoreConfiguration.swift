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
    /// Makes columns of closed hours; without them reports read rows.
    package var makesColumns = true
    /// Told when a database of an older layout was raised to this program's.
    package var onRaise: @Sendable (LayoutRaise) -> Void = { _ in }
    /// Told what has become of a database that was built beside this one.
    package var onNext: @Sendable (NextDatabase.Outcome) -> Void = { _ in }

    package init() {}
}

/// A database was brought from an older layout to this program's, in place.
package struct LayoutRaise: Sendable, Equatable, CustomStringConvertible {
    package var from: Int64
    package var to: Int64

    package var description: String { "the database was raised in place from layout \(from) to \(to)" }
}
