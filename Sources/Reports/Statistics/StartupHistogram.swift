/// How often each startup time occurred, sorted by time.
package struct StartupHistogram: Sendable, Hashable {
    /// Startup times in ms with the number of plays that had them, ascending.
    package private(set) var bars: [Bar] = []
    /// Plays in all bars.
    package private(set) var count: Int64 = 0

    package struct Bar: Sendable, Hashable {
        package var ms: Int64
        package var plays: Int64
        /// How many of the plays belong to no session.
        package var lonePlays: Int64
    }

    init(_ bars: [Bar]) {
        self.bars = bars
        count = bars.reduce(0) { $0 + $1.plays }
    }

    /// Several histograms as one.
    ///
    /// - Complexity: O(bars · log bars).
    init(merging histograms: [StartupHistogram]) {
        var merged: [Bar] = []
        for bar in histograms.flatMap(\.bars).sorted(by: { $0.ms < $1.ms }) {
            if merged.last?.ms == bar.ms {
                merged[merged.count - 1].plays += bar.plays
                merged[merged.count - 1].lonePlays += bar.lonePlays
            } else {
                merged.append(bar)
            }
        }
        self.init(merged)
    }

    /// The plays of a histogram without some of them.
    init(_ histogram: StartupHistogram, without part: StartupHistogram) {
        let taken = Dictionary(uniqueKeysWithValues: part.bars.map { ($0.ms, $0) })
        self.init(
            histogram.bars.compactMap { bar in
                guard let other = taken[bar.ms] else { return bar }
                let rest = Bar(ms: bar.ms, plays: bar.plays - other.plays, lonePlays: bar.lonePlays - other.lonePlays)
                return rest.plays > 0 ? rest : nil
            })
    }

    /// The value at a place of the sorted values, from 1; nil beyond them.
    func value(at place: Int64) -> Int64? {
        var passed: Int64 = 0
        for bar in bars {
            passed += bar.plays
            if passed >= place { return place > 0 ? bar.ms : nil }
        }
        return nil
    }

    /// The nearest-rank percentile in ms.
    package func percentile(_ percent: Int64) -> Int64? {
        value(at: NearestRank.place(percent, of: count))
    }

    /// Plays that started within `ms`, and how many of these belong to no session.
    func count(upTo ms: Int64) -> (plays: Int64, lonePlays: Int64) {
        var sum: (Int64, Int64) = (0, 0)
        for bar in bars.prefix(while: { $0.ms <= ms }) {
            sum.0 += bar.plays
            sum.1 += bar.lonePlays
        }
        return sum
    }

    /// All plays of the histogram that belong to no session.
    var loneCount: Int64 { bars.reduce(0) { $0 + $1.lonePlays } }
}
