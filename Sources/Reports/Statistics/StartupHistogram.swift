/// How often each startup time occurred, sorted by time.
package struct StartupHistogram: Sendable, Hashable {
    /// Startup times in ms with the number of plays that had them, ascending.
    package private(set) var bins: [Bin] = []
    /// Plays in all bins.
    package private(set) var count: Int64 = 0

    package struct Bin: Sendable, Hashable {
        package var ms: Int64
        package var plays: Int64

        package init(ms: Int64, plays: Int64) {
            self.ms = ms
            self.plays = plays
        }
    }

    /// - Parameter bins: ascending, each time once.
    package init(_ bins: [Bin]) {
        self.bins = bins
        count = bins.reduce(0) { $0 + $1.plays }
    }

    /// Several histograms as one.
    ///
    /// - Complexity: O(bins · log bins).
    package init(merging histograms: [StartupHistogram]) {
        if histograms.count == 1 {
            self = histograms[0]
            return
        }
        var merged: [Bin] = []
        for bin in histograms.flatMap(\.bins).sorted(by: { $0.ms < $1.ms }) {
            if merged.last?.ms == bin.ms {
                merged[merged.count - 1].plays += bin.plays
            } else {
                merged.append(bin)
            }
        }
        self.init(merged)
    }

    /// The plays of a histogram without some of them.
    init(_ histogram: StartupHistogram, without part: StartupHistogram) {
        let taken = Dictionary(uniqueKeysWithValues: part.bins.map { ($0.ms, $0.plays) })
        self.init(
            histogram.bins.compactMap { bin in
                let rest = bin.plays - (taken[bin.ms] ?? 0)
                return rest > 0 ? Bin(ms: bin.ms, plays: rest) : nil
            })
    }

    /// The ends of the bins that people are shown, in ms: 50 apart at first, then ever wider; the last holds whatever the
    /// contract allows.
    package static let coarseEnds: [Int64] =
        Array(stride(from: 50, through: 1_000, by: 50)) + stride(from: 1_100, through: 3_000, by: 100)
        + stride(from: 3_500, through: 10_000, by: 500) + [15_000, 30_000, 60_000, 3_600_000]

    /// The plays at or below each end and above the one before, from the first bin that has plays to the last.
    package var coarse: [Bin] {
        var coarse: [Bin] = []
        var index = 0
        for end in Self.coarseEnds {
            var plays: Int64 = 0
            while index < bins.count, bins[index].ms <= end {
                plays += bins[index].plays
                index += 1
            }
            if plays > 0 || !coarse.isEmpty { coarse.append(Bin(ms: end, plays: plays)) }
            if index == bins.count { break }
        }
        return coarse
    }

    /// The value at a rank of the sorted values, from 1; nil beyond them.
    package func value(at rank: Int64) -> Int64? {
        var passed: Int64 = 0
        for bin in bins {
            passed += bin.plays
            if passed >= rank { return rank > 0 ? bin.ms : nil }
        }
        return nil
    }

    /// The nearest-rank percentile in ms.
    package func percentile(_ percent: Int64) -> Int64? {
        value(at: NearestRank.rank(percent, of: count))
    }
}

/// Percentiles by nearest rank: a value that occurred, never interpolated.
package enum NearestRank {
    /// The rank, from 1, of a percentile among `count` sorted values: ⌈count·percent/100⌉ in whole numbers.
    package static func rank(_ percent: Int64, of count: Int64) -> Int64 {
        let product = Int128(count) * Int128(percent)
        return Int64(product / 100) + (product % 100 == 0 ? 0 : 1)
    }
}
