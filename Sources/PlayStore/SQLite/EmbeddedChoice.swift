package import Archive
internal import Glibc
package import PlaybackEvents
package import Reports
internal import SQLite

/// The SQLite database in the data directory.
package struct EmbeddedChoice: StoreChoice {
    package init() {}

    package func open(
        _ data: DataPaths, node: NodeName, onNotice: @escaping @Sendable (FollowerNotice) -> Void
    ) throws -> any Store {
        try SQLiteStore(data: data, configuration: configuration(onNotice))
    }

    private func configuration(_ onNotice: @escaping @Sendable (FollowerNotice) -> Void) -> StoreConfiguration {
        var configuration = StoreConfiguration()
        configuration.onRaise = { onNotice(.raised($0)) }
        configuration.onNext = { onNotice(.next($0)) }
        return configuration
    }

    package func reports(_ data: DataPaths, patience: Duration?) throws -> any ReportStore {
        try SQLiteReportStore(data: data, patience: patience)
    }

    package func rebuild(
        _ data: DataPaths, node: NodeName?, takesOver: Bool, follower following: FollowerConfiguration,
        progress: (FollowerStatus) -> Void
    ) throws -> StoreTotals {
        try StoreRebuild.run(data: data, follower: following, progress: progress)
    }

    package func remembered(_ data: DataPaths) throws(FileFault) -> RememberedDirectory {
        try StorePlaces.remembered(data)
    }

    package func unarchivedPlays(_ data: DataPaths) throws -> Int64? {
        SQLiteStore.isMissingOrEmpty(data.database) ? 0 : try UnarchivedPlays.count(data)
    }

    package func places(_ data: DataPaths) throws -> LogPlaces { try StorePlaces.read(data: data) }

    package func placesAlone(_ data: DataPaths) throws -> LogPlaces {
        do {
            return try places(data)
        } catch let fault as StoreFault where !fault.isBusy {
            switch fault {
            case .unreadable, .denied, .olderLayout: return try StorePlaces.readAlone(data: data)
            default: throw fault
            }
        }
    }

    package func verify(_ data: DataPaths, progress: (Int64) -> Void) throws -> StoreVerification {
        try StoreVerifier.run(data: data, progress: progress)
    }

    package func prune(
        _ data: DataPaths, before day: Int64, onNotice: @escaping @Sendable (FollowerNotice) -> Void,
        progress: (Int64) -> Void
    ) throws -> Int64 {
        var configuration = configuration(onNotice)
        // The write-ahead log never gets longer than one transaction, for which the disk may have just enough room.
        configuration.checkpointBytes = SQLiteStore.pageBytes
        let store = try SQLiteStore(data: data, configuration: configuration)
        // Also when it has failed, and has taken the last room for that.
        defer { try? store.rest() }
        try store.rest()
        return try store.prune(before: day, progress: progress)
    }

    package func countErasable(_ data: DataPaths, _ target: ErasureTarget) throws -> Int64 {
        if SQLiteStore.isMissingOrEmpty(data.database) { return 0 }
        let database = try ReadOnlyDatabase(data)
        let count = try SQLiteStore.countErasable(database.connection, target)
        try database.checkUnchanged()
        return count
    }

    package func database(_ data: DataPaths) -> String { data.database }

    package func name(_ data: DataPaths) -> String? {
        guard let path = realpath(data.root, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    package var isShared: Bool { false }

    /// What an error of a store says of the disk; nil for one that is about something else.
    package static func wordsOfDisk(_ error: any Error) -> String? {
        switch error {
        case StoreFault.unreadable(_, let fault) where fault.isOfDisk: fault.message
        case let fault as SQLiteError where fault.isOfDisk: fault.message
        default: nil
        }
    }
}
