/// Percentiles by nearest rank: a value that occurred, never interpolated.
enum NearestRank {
    /// The place, from 1, of a percentile among `count` sorted values: ⌈count·percent/100⌉ in whole numbers.
    static func place(_ percent: Int64, of count: Int64) -> Int64 {
        let (product, overflow) = count.multipliedReportingOverflow(by: percent)
        return overflow ? count / 100 * percent : product / 100 + (product % 100 == 0 ? 0 : 1)
    }

    /// The percentile of sorted values; nil when there are none.
    static func value<Value>(_ percent: Int64, ofSorted values: [Value]) -> Value? {
        values.isEmpty ? nil : values[Int(place(percent, of: Int64(values.count))) - 1]
    }
}
