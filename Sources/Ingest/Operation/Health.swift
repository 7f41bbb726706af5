internal import Archive
internal import Synchronization

/// Whether the server can take plays now, and what is lastingly wrong with its data.
final class Health: Sendable {
    private let isStopping = Atomic(false)
    private let probe: DiskProbe
    private let commits: @Sendable () -> CommitterSnapshot
    private let isLagging: @Sendable () -> Bool
    private let damageList: DamageList
    /// What is wrong with the store until somebody does something; nil when nothing is, or it may pass by itself.
    private let storeFault: @Sendable () -> String?

    init(
        probe: DiskProbe, commits: @escaping @Sendable () -> CommitterSnapshot,
        isLagging: @escaping @Sendable () -> Bool, damage: DamageList,
        storeFault: @escaping @Sendable () -> String? = { nil }
    ) {
        self.probe = probe
        self.commits = commits
        self.isLagging = isLagging
        damageList = damage
        self.storeFault = storeFault
    }

    /// Damage of the data that was found since the start, and what keeps the store from following: not a reason to take no
    /// plays, which are safe in the archive, but health says degraded.
    var damage: [String] { damageList.all + (storeFault().map { [$0] } ?? []) }

    func beginStopping() {
        isStopping.store(true, ordering: .relaxed)
    }

    /// Why it should get no plays; empty when it is ready.
    ///
    /// Commits that failed are no reason by themselves: without plays none would ever succeed again. What counts is whether
    /// the disk takes a durable write now.
    ///
    /// - Complexity: at most one durable write a second, whoever asks; returns after two seconds at the latest.
    func reasonsNotToBeReady() -> [String] {
        var reasons: [String] = []
        if isStopping.load(ordering: .relaxed) { reasons.append("stopping") }
        if let fatal = commits().fatal { reasons.append("the archive needs a restart: \(fatal)") }
        if let fault = probe.fault() { reasons.append("the data directory can't be written: \(fault)") }
        if isLagging() { reasons.append("the database is too far behind the archive") }
        return reasons
    }
}
