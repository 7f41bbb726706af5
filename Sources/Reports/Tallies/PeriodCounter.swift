/// Counts the plays of a scope, and reads its sessions one by one.
protocol PeriodCounter: AnyObject {
    /// - Throws: what the store says.
    func tally() throws -> PeriodTally

    /// - Parameter visit: gets the parts of one session; or one part, and how many plays without a session are like it.
    /// - Throws: what the store says.
    func readSessions(_ visit: ([SessionPart], Int64) -> Void) throws
}

/// What one session has in one group, in the period or before it.
struct SessionPart {
    var key: GroupKey
    /// 1 in the period, 0 before it.
    var part: Int64
    var sums: ClusterSums
}

extension ReportStore {
    /// The quicker way of counting that the store has.
    func counter(_ scope: PlayScope) -> any PeriodCounter {
        scanner.map { StreamedTally(scope, $0) } ?? QueriedTally(store: self, scope: scope)
    }
}
