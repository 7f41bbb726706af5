internal import Synchronization

/// What the intake of reports has done since the server started; every counter only rises.
final class CMCDCounters: Sendable {
    private let keys = Mutex<[String: Int]>([:])
    let lines = Atomic(0)
    let reports = Atomic(0)
    let ignoredKeys = Atomic(0)
    let ignoredParameters = Atomic(0)
    let laterVersions = Atomic(0)
    let linesTooMany = Atomic(0)
    let quarantined = Atomic(0)
    let quarantineDropped = Atomic(0)
    let erased = Atomic(0)

    /// - Parameter key: the name of the key that they came with.
    func count(_ tally: CMCDTally, key: String) {
        if tally.reports > 0 { keys.withLock { $0[key, default: 0] += tally.reports } }
        lines.add(tally.lines, ordering: .relaxed)
        reports.add(tally.reports, ordering: .relaxed)
        ignoredKeys.add(tally.ignoredKeys, ordering: .relaxed)
        ignoredParameters.add(tally.ignoredParameters, ordering: .relaxed)
        laterVersions.add(tally.laterVersions, ordering: .relaxed)
        linesTooMany.add(tally.linesTooMany, ordering: .relaxed)
        quarantined.add(tally.quarantined, ordering: .relaxed)
        quarantineDropped.add(tally.quarantineDropped, ordering: .relaxed)
        erased.add(tally.erased, ordering: .relaxed)
    }

    /// Reports by the name of their key; those of keys without any, too.
    func reportsByKey(_ names: [String]) -> [(String, Int)] {
        let counts = keys.withLock { $0 }
        return Set(names).union(counts.keys).sorted().map { ($0, counts[$0] ?? 0) }
    }
}
