internal import Reports

/// Whole numbers that are not negative, of which the values at some ranks are wanted: four bytes each, as nearly all are
/// below 2³².
struct NumberList {
    private var small: [UInt32] = []
    private var large: [Int64] = []

    var count: Int { small.count + large.count }

    @inline(__always)
    mutating func append(_ number: Int64) {
        if let number = UInt32(exactly: number) { small.append(number) } else { large.append(number) }
    }

    /// The 50th and the 95th percentile of several lists together, by nearest rank; nil without a number.
    ///
    /// - Complexity: O(*n*); the lists are copied once.
    static func percentiles(of lists: [NumberList]) -> [Int64?] {
        let percents: [Int64] = [50, 95]
        var small: [UInt32] = []
        small.reserveCapacity(lists.reduce(0) { $0 + $1.small.count })
        for list in lists { small += list.small }
        var large = lists.flatMap(\.large)
        let count = small.count + large.count
        return percents.map { percent in
            guard count > 0 else { return nil }
            let place = Int(NearestRank.rank(percent, of: Int64(count))) - 1
            return place < small.count
                ? Int64(RankSelection.select(place, in: &small)) : RankSelection.select(place - small.count, in: &large)
        }
    }
}

/// Values at given ranks of a list that nobody has to sort.
private enum RankSelection {
    /// The value at a place of the sorted list, whose order is lost, by narrowing the list down from its middle values
    /// (C. A. R. Hoare, "Find", 1961).
    static func select<Number: FixedWidthInteger>(_ place: Int, in values: inout [Number]) -> Number {
        var (low, high) = (0, values.count - 1)
        while low < high {
            let middle = values[low + (high - low) / 2]
            let pivot = max(min(values[low], middle), min(max(values[low], middle), values[high]))
            var (left, right) = (low, high)
            while left <= right {
                while values[left] < pivot { left += 1 }
                while values[right] > pivot { right -= 1 }
                if left <= right {
                    values.swapAt(left, right)
                    left += 1
                    right -= 1
                }
            }
            if place <= right { high = right } else if place >= left { low = left } else { return values[place] }
        }
        return values[place]
    }
}
