internal import Synchronization

/// What the intake of reports has done since the server started; every counter only rises.
final class CMCDCounters: Sendable {
    let lines = Atomic(0)
    let reports = Atomic(0)
    let ignoredKeys = Atomic(0)
    let ignoredParameters = Atomic(0)
    let laterVersions = Atomic(0)
    let linesTooMany = Atomic(0)
    let quarantined = Atomic(0)
    let quarantineDropped = Atomic(0)

    func count(_ tally: CMCDTally) {
        lines.add(tally.lines, ordering: .relaxed)
        reports.add(tally.reports, ordering: .relaxed)
        ignoredKeys.add(tally.ignoredKeys, ordering: .relaxed)
        ignoredParameters.add(tally.ignoredParameters, ordering: .relaxed)
        laterVersions.add(tally.laterVersions, ordering: .relaxed)
        linesTooMany.add(tally.linesTooMany, ordering: .relaxed)
        quarantined.add(tally.quarantined, ordering: .relaxed)
        quarantineDropped.add(tally.quarantineDropped, ordering: .relaxed)
    }
}
