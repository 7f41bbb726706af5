/// Counts the plays of a scan for the senders that brought them.
struct ArrivalCount {
    /// What one thread has seen of a sender's plays in a period.
    struct Share {
        var arrived: Int64 = 0
        var isChosen = false
        /// What plays share that no download is; two stand for several.
        var keys: [GroupKey] = []
    }

    private struct Counted {
        var arrived: Int64 = 0
        /// The group of its plays, -1 before the first.
        var group: Int32 = -1
        /// Another group, -1 without one.
        var other: Int32 = -1
        var isChosen = false
    }

    private let scope: PlayScope
    private let finder: RequestFinder
    private var reader: ScopeReader
    private var counted: [Counted] = []

    /// - Parameter finder: says whose a play is.
    init(_ scope: PlayScope, _ finder: RequestFinder, _ scanner: any PlayScanner) {
        self.scope = scope
        self.finder = finder
        reader = ScopeReader(scope, scanner)
    }

    /// The same for another thread.
    func another(_ scanner: any PlayScanner) -> ArrivalCount { ArrivalCount(scope, finder, scanner) }

    var parts: ScannedPlay.Parts { reader.parts }

    /// The hours of receipt of the plays that it has to see; nil for all plays.
    var receipts: ClosedRange<Int64>? { scope.receipts.map { hours(of: $0) } }

    mutating func add(_ play: ScannedPlay) throws {
        if let receipts = scope.receipts, !receipts.contains(play.receivedAt) { return }
        if let range = scope.range, !range.contains(play.endedAt) { return }
        guard let tally = finder.tally(of: play.arrival) else { return }
        while counted.count <= tally { counted.append(Counted()) }
        counted[tally].arrived += 1
        guard try !reader.isLeftOut(play) else { return }
        let group = try reader.group(play)
        if counted[tally].group < 0 { counted[tally].group = group }
        if counted[tally].group != group { counted[tally].other = group }
        if try !counted[tally].isChosen && reader.isChosen(play) { counted[tally].isChosen = true }
    }

    func forEach(_ visit: (Int, Share) -> Void) {
        let keys = reader.keys
        for (tally, counted) in counted.enumerated() where counted.arrived > 0 {
            let groups = [counted.group, counted.other].filter { $0 >= 0 }
            visit(
                tally, Share(arrived: counted.arrived, isChosen: counted.isChosen, keys: groups.map { keys[Int($0)] }))
        }
    }
}
