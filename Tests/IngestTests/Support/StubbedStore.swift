import Archive
import PlaybackEvents
import PlayStore
import Reports

/// The embedded store, which gives reports, is verified or is pruned as a test wants it.
struct StubbedStore: StoreChoice {
    private let store = EmbeddedChoice()
    var reports: @Sendable (EmbeddedChoice, DataPaths) throws -> any ReportStore = { store, data in
        try store.reports(data)
    }
    var verify: @Sendable (EmbeddedChoice, DataPaths) throws -> StoreVerification = { store, data in
        try store.verify(data) { _ in }
    }

    /// Called before old plays are removed.
    var beforePruning: @Sendable () throws -> Void = {}

    func reports(_ data: DataPaths, patience: Duration?) throws -> any ReportStore { try reports(store, data) }

    func verify(_ data: DataPaths, progress: (Int64) -> Void) throws -> StoreVerification { try verify(store, data) }

    func open(
        _ data: DataPaths, node: NodeName, onNotice: @escaping @Sendable (FollowerNotice) -> Void
    ) throws -> any Store {
        try store.open(data, node: node, onNotice: onNotice)
    }

    func rebuild(
        _ data: DataPaths, node: NodeName?, takesOver: Bool, follower following: FollowerConfiguration,
        progress: (FollowerStatus) -> Void
    ) throws -> StoreTotals {
        try store.rebuild(data, node: node, takesOver: takesOver, follower: following, progress: progress)
    }

    func remembered(_ data: DataPaths) throws(FileError) -> RememberedDirectory { try store.remembered(data) }
    func unarchivedPlays(_ data: DataPaths) throws -> Int64? { try store.unarchivedPlays(data) }
    func positions(_ data: DataPaths) throws -> LogPositions { try store.positions(data) }

    func prune(
        _ data: DataPaths, before day: Int64, onNotice: @escaping @Sendable (FollowerNotice) -> Void,
        progress: (Int64) -> Void
    ) throws -> Int64 {
        try beforePruning()
        return try store.prune(data, before: day, onNotice: onNotice, progress: progress)
    }

    func countErasable(_ data: DataPaths, _ target: ErasureTarget) throws -> Int64 {
        try store.countErasable(data, target)
    }

    func database(_ data: DataPaths) -> String { store.database(data) }
    func name(_ data: DataPaths) -> String? { store.name(data) }
    var isShared: Bool { store.isShared }
}
