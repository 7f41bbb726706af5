/// What is known of the plays of one period: each group's tally and that of all plays.
package struct PeriodTally: Sendable {
    /// By plays, most first, then by what the group is called, as bytes.
    package var groups: [GroupTally]
    package var all: GroupTally
    /// Plays left out because no CDN served them.
    package var downloads: Int64 = 0

    /// Groups whose plays are counted; their sessions are still to come.
    ///
    /// - Parameter groups: none when all plays are one group.
    init(groups: [GroupTally], all: GroupTally) {
        self.groups = groups
        self.all = all
    }

    /// Groups from their plays' totals and startups; all plays are the sum of the groups.
    ///
    /// - Parameter isGrouped: false when the only group is that of all plays.
    init(_ totals: [(key: GroupKey, totals: PlayTotals)], bars: [GroupKey: [StartupHistogram.Bar]], isGrouped: Bool) {
        let counted = totals.map { key, totals in
            GroupTally(key: key, totals: totals, startups: StartupHistogram(bars[key] ?? []))
        }
        var sum = PlayTotals()
        for group in counted { sum.add(group.totals) }
        self.init(
            groups: isGrouped ? counted : [],
            all: GroupTally(key: nil, totals: sum, startups: StartupHistogram(merging: counted.map(\.startups))))
    }

    mutating func finish() {
        for index in groups.indices { groups[index].finish() }
        all.finish()
    }
}
