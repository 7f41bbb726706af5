/// Counts how often each startup time occurs in each group.
struct StartupCounter {
    private struct Count {
        var group: Int32
        var ms: Int32
        var plays: Int32 = 0
        var lone: Int32 = 0
    }

    private var counts: [Count] = []
    private var numbers = IndexTable()

    mutating func add(_ ms: Int64, group: Int32, isLone: Bool) {
        let next = Int32(counts.count)
        let ms = Int32(clamping: ms)
        let number = Int(numbers.number(of: IndexTable.key(group, ms), orElse: next))
        if number == Int(next) { counts.append(Count(group: group, ms: ms)) }
        counts[number].plays += 1
        counts[number].lone += isLone ? 1 : 0
    }

    /// The bars of each group's histogram, by time.
    func bars(groups: Int) -> [[StartupHistogram.Bar]] {
        var bars: [[StartupHistogram.Bar]] = Array(repeating: [], count: groups)
        for count in counts {
            bars[Int(count.group)].append(
                .init(ms: Int64(count.ms), plays: Int64(count.plays), lonePlays: Int64(count.lone)))
        }
        return bars.map { $0.sorted { $0.ms < $1.ms } }
    }
}
