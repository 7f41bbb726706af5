/// The error codes of failed plays, gathered session by session while sessions are counted.
struct FailureLedger<Session: Hashable> {
    /// A group and a session in it; a session over all groups when `group` is nil.
    private struct Place: Hashable {
        var group: Int?
        var session: Session
    }

    private struct Kind: Hashable {
        var group: Int?
        var code: ByteText
        var isAtStart: Bool
    }

    /// All plays of the sessions in which a play failed.
    private var plays: [Place: Int64] = [:]
    private var kinds: [Kind: [Session: Int64]] = [:]
    private var lone: [Kind: Int64] = [:]

    mutating func note(group: Int?, session: Session, plays count: Int64) {
        plays[Place(group: group, session: session), default: 0] += count
    }

    /// Notes failed plays of one code, phase and session; nil for plays without one.
    mutating func note(group: Int?, code: ByteText, isAtStart: Bool, session: Session?, failed: Int64) {
        let kind = Kind(group: group, code: code, isAtStart: isAtStart)
        if let session {
            kinds[kind, default: [:]][session, default: 0] += failed
        } else {
            lone[kind, default: 0] += failed
        }
    }

    /// Gives every group its failures by code and phase.
    ///
    /// - Complexity: O(kinds × distinct sizes of sessions): a client decides how many codes there are.
    func fill(_ tally: inout PeriodTally) {
        var failures: [Int?: [FailureTally]] = [:]
        for kind in Set(kinds.keys).union(lone.keys) {
            var clusters = (kinds[kind] ?? [:]).map { session, failed in
                FailureTally.Cluster(
                    plays: plays[Place(group: kind.group, session: session)] ?? failed, failed: failed)
            }
            if let count = lone[kind] { clusters.append(.init(plays: 1, failed: 1, count: count)) }
            let group = kind.group.map { tally.groups[$0] } ?? tally.all
            failures[kind.group, default: []].append(
                FailureTally(
                    code: kind.code, isAtStart: kind.isAtStart, clusters: clusters, sizes: group.clusterSizes,
                    groupPlays: group.totals.plays))
        }
        for (group, failures) in failures {
            if let group {
                tally.groups[group].failures += failures
            } else {
                tally.all.failures += failures
            }
        }
    }
}
