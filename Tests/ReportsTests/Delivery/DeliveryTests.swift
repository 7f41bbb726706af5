import Testing

@testable import Reports

@Suite("A delivery")
struct DeliveryTests {
    private func figures(_ senders: [(made: Int64, arrived: Int64, dropped: Int64, rejected: Int64)]) -> DeliveryFigures
    {
        var sums = SenderSums(.unknown)
        for sender in senders {
            sums.addSender(
                made: sender.made, arrived: sender.arrived, dropped: sender.dropped, rejected: sender.rejected)
        }
        return DeliveryFigures(names: [], sums: sums)
    }

    @Test("calls surplus what arrives beyond what its own sender made, and the share of the rest never exceeds 1")
    func surplus() {
        let shared = figures([(made: 2, arrived: 100, dropped: 0, rejected: 0)])
        #expect(shared.sums.surplus == 98)
        #expect(shared.arrivedRatio == 1)
        // What one sender has too many of makes up for nothing that another one lost.
        let both = figures([(2, 100, 0, 0), (10, 4, 1, 2)])
        #expect(both.sums.surplus == 98)
        #expect(both.sums.lost == 3)
        #expect(both.arrivedRatio == 0.5)
    }

    @Test("adds up what 10,000 senders say at most")
    func maxima() {
        let most: Int64 = 1 << 53
        let all = figures(Array(repeating: (most, 0, most, most), count: 10_000))
        #expect(all.sums.made == Int128(most) * 10_000)
        #expect(all.missing == Int128(most) * 20_000)
        #expect(all.arrivedRatio == 0)
    }

    @Test("has no share where nothing was made")
    func nothing() {
        #expect(figures([]).arrivedRatio == nil)
    }
}
