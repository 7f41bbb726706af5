import Testing

@testable import Reports

@Suite("The spread over sessions")
struct ClusterSpreadTests {
    @Test("decides in whole numbers whether there are enough sessions")
    func freedom() {
        // Five equal sessions are four degrees of freedom, exactly; a play more in one of them is less.
        var five = ClusterSpread(x: 5_000_000_000_000_000, y: 5)
        five.add(x: 1_000_000_000_000_000, y: 1, count: 5)
        #expect(five.freedom == 4)
        var uneven = ClusterSpread(x: 5_000_000_000_000_000, y: 5)
        uneven.add(x: 1_000_000_000_000_000, y: 1, count: 3)
        uneven.add(x: 1_000_000_000_000_001, y: 1)
        uneven.add(x: 999_999_999_999_999, y: 1)
        #expect(uneven.freedom == nil)
        #expect(uneven.shareInterval == .unknown)
        #expect(uneven.ratioInterval() == .unknown)
    }

    @Test("is exactly nothing when every session has the same share")
    func noVariance() {
        var spread = ClusterSpread(x: 30, y: 10)
        for size in [3, 6, 9, 3, 3, 6] { spread.add(x: Int64(size), y: Int128(size / 3)) }
        #expect(spread.variance == 0)
    }

    @Test("never gives a ratio of nothing the interval from 0 to 0")
    func noEvents() {
        var spread = ClusterSpread(x: 60_000, y: 0)
        spread.add(x: 6_000, y: 0, count: 10)
        #expect(spread.ratioInterval() == Interval(low: 0, high: nil))
        let share = spread.shareInterval
        #expect(share.low == 0)
        #expect((share.high ?? 0) > 0.1)
    }

    @Test("ends at 1 for the rebuffer ratio")
    func limit() {
        var spread = ClusterSpread(x: 600, y: 590)
        for stalled in [100, 100, 100, 100, 100, 90] { spread.add(x: 100, y: Int128(stalled)) }
        let interval = spread.ratioInterval(limit: 1)
        #expect(interval.high == 1)
        #expect((interval.low ?? 0) > 0.9)
    }

    @Test("takes the largest sums that the contract allows")
    func wide() {
        // 10¹⁰ plays of a day each.
        let day: Int64 = 86_400_000
        var spread = ClusterSpread(x: day * 10_000_000_000, y: Int128(day) * 5_000_000_000)
        spread.add(x: day, y: Int128(day), count: 5_000_000_000)
        spread.add(x: day, y: 0, count: 5_000_000_000)
        #expect(spread.ratio == 0.5)
        #expect(spread.freedom == 9_999_999_999)
        #expect(abs(spread.variance / 2.5e-11 - 1) < 1e-9)
    }

    @Test("gives the same digits in any order of the sessions")
    func order() {
        var generator = SplitMix(seed: 7)
        let clusters = (0..<500).map { _ in
            (x: Int64.random(in: 1...100_000, using: &generator), y: Int128.random(in: 0...1_000, using: &generator))
        }
        func interval(_ clusters: [(x: Int64, y: Int128)]) -> Interval<Double> {
            var spread = ClusterSpread(x: clusters.reduce(0) { $0 + $1.x }, y: clusters.reduce(0) { $0 + $1.y })
            for cluster in clusters { spread.add(x: cluster.x, y: cluster.y) }
            return spread.ratioInterval()
        }
        let one = interval(clusters)
        for _ in 0..<20 { #expect(interval(clusters.shuffled(using: &generator)) == one) }
    }
}
