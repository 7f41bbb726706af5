/// Percentiles by nearest rank: a value that occurred, never interpolated.
package enum NearestRank {
    /// The rank, from 1, of a percentile among `count` sorted values: ⌈count·percent/100⌉ in whole numbers.
    package static func rank(_ percent: Int64, of count: Int64) -> Int64 {
        let product = Int128(count) * Int128(percent)
        return Int64(product / 100) + (product % 100 == 0 ? 0 : 1)
    }
}
