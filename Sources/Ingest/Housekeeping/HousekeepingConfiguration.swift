internal import Archive

/// What a ``Housekeeper`` does, and when.
package struct HousekeepingConfiguration: Sendable {
    /// How many whole UTC days of plays before today stay in the store; nil: all.
    package var keepDays: Int?
    /// How many whole UTC days of receipt before today stay in the logs; nil: all.
    package var keepArchiveDays: Int?
    /// Players' reports go after so many days, where old files go at all: they are a log of viewing by the second.
    package var keepReportDays = 7
    /// Whether closed files are compacted.
    package var compacts = true
    /// How often it looks, in ms.
    package var pollMs = 60_000
    /// How much its thread gives way to others when there are too few processors, 0 (not) to 19.
    package var niceness: Int32 = 19
    /// How much room the disk of a path has; nil where nobody knows.
    package var freeBytes: @Sendable (String) -> Int64? = LogCompactor.freeBytes
    /// Gets what an operator should read; called on its thread.
    package var onNotice: @Sendable (HousekeepingNotice) -> Void = { _ in }

    package init() {}
}
