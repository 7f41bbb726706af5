internal import Archive
internal import Synchronization

/// Whether the server can take plays now, and what is lastingly wrong with its data.
final class Health: Sendable {
    private struct State {
        var isStopping = false
        var probed: (at: ContinuousClock.Instant, fault: String?)?
    }

    private let state = Mutex(State())
    private let probe: @Sendable () -> String?
    private let commits: @Sendable () -> CommitterSnapshot
    private let isLagging: @Sendable () -> Bool
    private let damageList: DamageList

    /// - Parameter probe: writes and syncs something in the data directory; says what went wrong.
    init(
        probe: @escaping @Sendable () -> String?, commits: @escaping @Sendable () -> CommitterSnapshot,
        isLagging: @escaping @Sendable () -> Bool, damage: DamageList
    ) {
        self.probe = probe
        self.commits = commits
        self.isLagging = isLagging
        damageList = damage
    }

    /// Damage of the data that was found since the start: not a reason to take no plays, but health says degraded.
    var damage: [String] { damageList.all }

    func beginStopping() {
        state.withLock { $0.isStopping = true }
    }

    /// Why it should get no plays; empty when it is ready.
    ///
    /// - Complexity: one durable write, at most one a second whoever asks.
    func reasonsNotToBeReady() -> [String] {
        var reasons: [String] = []
        if state.withLock({ $0.isStopping }) { reasons.append("stopping") }
        let commits = commits()
        if let fatal = commits.fatal { reasons.append("the archive needs a restart: \(fatal)") }
        if let fault = lastProbe() { reasons.append("the data directory can't be written: \(fault)") }
        if isLagging() { reasons.append("the database is too far behind the archive") }
        return reasons
    }

    private func lastProbe() -> String? {
        state.withLock { state in
            if let probed = state.probed, .now - probed.at < .seconds(1) { return probed.fault }
            let fault = probe()
            state.probed = (.now, fault)
            return fault
        }
    }
}
