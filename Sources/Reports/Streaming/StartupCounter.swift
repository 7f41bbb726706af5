/// Counts how often each startup time occurs in each group.
struct StartupCounter {
    private struct Count {
        var plays: Int32 = 0
        var lone: Int32 = 0
    }

    private struct FarCount {
        var group: Int32
        var ms: Int32
        var count = Count()
    }

    /// The first groups, and times up to some seconds, are counted in place: 4 MiB at most.
    private static let nearGroups = 32
    private static let nearMs = 1 << 14
    private var near: [[Count]] = []
    private var far: [FarCount] = []
    private var numbers = IndexTable()

    mutating func add(_ ms: Int64, group: Int32, isLone: Bool) {
        if group < Self.nearGroups, ms < Self.nearMs {
            let (group, ms) = (Int(group), Int(ms))
            while near.count <= group { near.append([]) }
            if near[group].count <= ms {
                let size = min(Self.nearMs, max(1_024, 2 * ms))
                near[group] += Array(repeating: Count(), count: size - near[group].count)
            }
            near[group][ms].plays += 1
            if isLone { near[group][ms].lone += 1 }
            return
        }
        let next = Int32(far.count)
        let ms = Int32(clamping: ms)
        let number = Int(numbers.number(of: IndexTable.key(group, ms), orElse: next))
        if number == Int(next) { far.append(FarCount(group: group, ms: ms)) }
        far[number].count.plays += 1
        if isLone { far[number].count.lone += 1 }
    }

    /// The bars of each group's histogram, by time.
    func bars(groups: Int) -> [[StartupHistogram.Bar]] {
        var bars: [[StartupHistogram.Bar]] = Array(repeating: [], count: groups)
        for (group, counts) in near.enumerated() {
            for (ms, count) in counts.enumerated() where count.plays > 0 { bars[group].append(bar(ms, count)) }
        }
        for other in far.sorted(by: { $0.ms < $1.ms }) {
            bars[Int(other.group)].append(bar(Int(other.ms), other.count))
        }
        return bars
    }

    private func bar(_ ms: Int, _ count: Count) -> StartupHistogram.Bar {
        .init(ms: Int64(ms), plays: Int64(count.plays), lonePlays: Int64(count.lone))
    }
}
