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
