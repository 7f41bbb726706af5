import Testing

@testable import Reports

@Suite("A wide integer")
struct WideIntegerTests {
    @Test("adds and multiplies beyond 128 bits")
    func large() {
        let most = WideInteger(UInt128.max)
        #expect((most * most).double == Double(UInt128.max) * Double(UInt128.max))
        #expect(most * most + most - most == most * most)
        #expect(most < most + WideInteger(1))
    }

    @Test("is 0 where it would be negative, as between two moments of a store without snapshots")
    func negative() {
        #expect(WideInteger(-5).isZero)
        #expect(WideInteger(Int128.min).isZero)
        #expect((WideInteger(3) - WideInteger(7)).isZero)
        #expect((WideInteger(UInt128.max) - WideInteger(UInt128.max)).isZero)
    }

    @Test("lets a comparison end whose sides saw different plays")
    func twoMoments() {
        // Sums that no plays can have: more products than squares allow, and fewer events on one side than on both.
        var one = RatioSums(
            sessions: 8, base: 80, events: 8, baseSquares: 800, products: 900, eventSquares: 9)
        #expect(one.shareVariance == 0)
        #expect(one.logVariance == 0)
        let cross = CrossSums(bases: 100_000, baseByEvents: 90_000, eventsByBase: -5, events: -70_000)
        #expect(cross.covariance(one, one).isFinite)
        one.events = 81
        #expect(one.shareInterval == .unknown)
        #expect(one.percentileRanks(50) == .unknown)
        #expect(one.complement.ratioInterval() == Interval(low: 0, high: nil))
    }
}
