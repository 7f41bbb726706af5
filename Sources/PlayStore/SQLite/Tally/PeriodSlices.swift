/// The stretches of time that the ends of some periods cut, which may overlap.
struct PeriodSlices {
    /// The first instants of the slices but the first, ms since 1970, ascending.
    private let cuts: [Int64]
    /// By slice, the periods that hold it, ascending.
    let periods: [[Int]]

    init(_ ranges: [Range<Int64>?]) {
        let cuts = Set(ranges.compactMap { $0 }.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
        self.cuts = cuts
        periods = (0...cuts.count).map { slice in
            ranges.indices.filter { index in
                guard let range = ranges[index] else { return true }
                guard slice > 0 else { return false }
                return range.contains(cuts[slice - 1])
            }
        }
    }

    var count: Int { periods.count }

    /// In how many periods a slice is at most.
    var mostPeriods: Int { periods.map(\.count).max() ?? 0 }

    func slice(of instant: Int64) -> Int {
        var (low, high) = (0, cuts.count)
        while low < high {
            let middle = (low + high) / 2
            if cuts[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The slice that all plays of an hour are in; nil where a cut lies inside.
    func slice(ofHour hour: Int64) -> Int? {
        let start = hour * 3_600_000
        let first = slice(of: start)
        return first == slice(of: start + 3_599_999) ? first : nil
    }
}
