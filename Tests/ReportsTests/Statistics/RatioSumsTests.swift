import Testing

@testable import Reports

@Suite("The sums of a ratio")
struct RatioSumsTests {
    private func sums(_ sessions: [(x: Int64, y: Int64)]) -> RatioSums {
        var sums = RatioSums()
        for (x, y) in sessions { sums.add(x: x, y: y) }
        return sums
    }

    @Test("decide in whole numbers whether there are sessions enough")
    func enough() {
        // Five equal sessions are five; a play more in one of them is less.
        let million: Int64 = 1_000_000_000_000
        let five = sums(Array(repeating: (million, 1), count: 5))
        #expect(five.hasBase(of: 5))
        #expect(five.shareInterval.low != nil)
        let uneven = sums([(million, 1), (million, 1), (million, 1), (million + 1, 1), (million - 1, 1)])
        #expect(!uneven.hasBase(of: 5))
        #expect(uneven.shareInterval == .unknown)
        #expect(uneven.ratioInterval() == .unknown)
        #expect(uneven.percentileRanks(50) == .unknown)
    }

    @Test("have no variance when every session has the same share")
    func noVariance() {
        let same = sums([3, 6, 9, 3, 3, 6].map { ($0, $0 / 3) })
        #expect(same.shareVariance == 0)
        #expect(same.logVariance == 0)
    }

    @Test("know nothing above where less than two sessions' worth hold all events, nor below where one does")
    func fewEvents() {
        let quiet: [(x: Int64, y: Int64)] = Array(repeating: (100, 0), count: 20)
        let one = sums(quiet + [(100, 7)]).ratioInterval()
        #expect(one == Interval(low: 0, high: nil))
        let nearlyTwo = sums(quiet + [(100, 7), (100, 1)]).ratioInterval()
        #expect(nearlyTwo.low ?? 0 > 0)
        #expect(nearlyTwo.high == nil)
        #expect(sums(quiet + [(100, 4), (100, 4)]).ratioInterval().high != nil)
        #expect(sums(quiet).ratioInterval() == Interval(low: 0, high: nil))
    }

    @Test("hold what a client may send at most, without an overflow")
    func maxima() {
        let day: Int64 = 86_400_000
        let most = sums(Array(repeating: (day * 1_000_000, day * 1_000_000), count: 1_000))
        #expect(most.ratio == 1)
        #expect(most.ratioInterval(limit: 1).high == 1)
        let data = sums(Array(repeating: (1, RatioSums.byteCap), count: 1_000))
        #expect(data.ratio == Double(RatioSums.byteCap))
        #expect(data.ratioInterval().low == Double(RatioSums.byteCap))
    }

    @Test("are the other way round for what is no event")
    func complement() {
        let sessions: [(x: Int64, y: Int64)] = (1...30).map { ($0 % 7 + 3, $0 % 3) }
        #expect(sums(sessions).complement == sums(sessions.map { ($0.x, $0.x - $0.y) }))
    }
}
