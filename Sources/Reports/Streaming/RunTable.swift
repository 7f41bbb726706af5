/// A number for each run that a count has met. Runs of one time have neighbouring entries, so pages of them are kept, and
/// those of other times take no memory.
struct RunTable {
    static let none: Int32 = -1
    private static let bits = 12

    private var pages: [[Int32]] = []

    /// The number of a run, ``none`` for one that has none.
    subscript(_ run: UInt32) -> Int32 {
        let page = Int(run) >> Self.bits
        guard page < pages.count, !pages[page].isEmpty else { return Self.none }
        return pages[page][Int(run) & (1 << Self.bits - 1)]
    }

    mutating func set(_ run: UInt32, _ number: Int32) {
        let page = Int(run) >> Self.bits
        while pages.count <= page { pages.append([]) }
        if pages[page].isEmpty { pages[page] = Array(repeating: Self.none, count: 1 << Self.bits) }
        pages[page][Int(run) & (1 << Self.bits - 1)] = number
    }

    /// The runs that have a number from 0 in one of the tables, ascending.
    static func runs(in tables: [RunTable]) -> [UInt32] {
        var runs: [UInt32] = []
        for page in 0..<(tables.map(\.pages.count).max() ?? 0) {
            let same = tables.compactMap { $0.pages.indices.contains(page) ? $0.pages[page] : nil }.filter {
                !$0.isEmpty
            }
            guard !same.isEmpty else { continue }
            for place in 0..<(1 << bits) where same.contains(where: { $0[place] >= 0 }) {
                runs.append(UInt32(page << bits | place))
            }
        }
        return runs
    }
}
