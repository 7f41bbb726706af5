import Testing

@testable import Reports

@Suite("The senders' accounts")
struct SenderLedgerTests {
    /// A request's account; time 0 is the beginning of the period, 100 its end.
    private static func account(
        _ sequence: Int64, made: Int64, dropped: Int64 = 0, rejected: Int64 = 0, at time: Int64, sender: Int = 0,
        arrivals: ClosedRange<Int64>? = nil
    ) -> Account {
        Account(
            sender: sender, sequence: sequence, made: made, dropped: dropped, rejected: rejected, receivedAt: time,
            arrivals: arrivals)
    }

    private static func figures(
        _ accounts: [Account], plays: [(arrival: Int64, region: String, isChosen: Bool)] = [],
        filters: [PlayFilter] = []
    ) -> [GroupKey: DeliveryFigures] {
        var ledger = SenderLedger { (0..<100).contains($0) ? 0 : nil }
        for account in accounts.sorted(by: { $0.receivedAt < $1.receivedAt }) { ledger.add(account) }
        ledger.sort()
        for play in plays {
            ledger.add(
                arrival: play.arrival, key: GroupKey([ByteText(play.region)]), isLeftOut: play.region == "download",
                isChosen: play.isChosen)
        }
        return ledger.groups(ReportRequest(filters: filters))[0] ?? [:]
    }

    private static func group(_ name: String) -> GroupKey { GroupKey([ByteText(name)]) }

    @Test("count what was made between the beginning and the end of a period")
    func difference() throws {
        let groups = Self.figures(
            [
                Self.account(4, made: 90, dropped: 1, at: -50), Self.account(5, made: 100, dropped: 2, at: -1),
                Self.account(6, made: 110, dropped: 5, rejected: 1, at: 10, arrivals: 1...5),
                Self.account(7, made: 120, dropped: 5, rejected: 1, at: 90), Self.account(8, made: 150, at: 100),
            ],
            plays: [(1, "a", true), (2, "a", true), (5, "a", true), (6, "a", true)])
        let figures = try #require(groups[Self.group("a")])
        #expect(
            (figures.made, figures.arrived, figures.dropped, figures.rejected, figures.lost) == (20, 3, 3, 1, 13))
    }

    @Test("take the highest number, whenever it came, and of two alike the first")
    func sequences() throws {
        let groups = Self.figures([
            Self.account(3, made: 30, at: 10), Self.account(2, made: 20, at: 20), Self.account(3, made: 99, at: 30),
        ])
        #expect(groups[Self.group("(unknown)")]?.made == 30)
    }

    @Test("make nothing of totals that fall")
    func restart() throws {
        let groups = Self.figures([
            Self.account(9, made: 500, dropped: 2, at: -10), Self.account(10, made: 3, dropped: 4, at: 10),
        ])
        let figures = try #require(groups[Self.group("(unknown)")])
        #expect((figures.made, figures.dropped, figures.lost) == (0, 2, 0))
    }

    @Test("add up exactly beyond 64 bits, as many as there are")
    func largest() throws {
        let most: Int64 = 1 << 53
        let groups = Self.figures(
            (0..<3_000).map { Self.account(0, made: most, dropped: most, rejected: most, at: 1, sender: $0) })
        let figures = try #require(groups[Self.group("(unknown)")])
        let sum = 3_000 * Int128(most)
        #expect((figures.made, figures.dropped, figures.rejected, figures.lost) == (sum, sum, sum, 0))
        #expect(figures.missing == 2 * sum)
        #expect(figures.arrivedRatio == 0)
        var totals = PlayTotals()
        totals.plays = 1
        #expect(totals.failureRatio(ifMissingFailed: figures.missing).map { $0 > 0.999 && $0 <= 1 } == true)
    }

    @Test("call surplus what arrives beyond what its own sender made, and the share of the rest never exceeds 1")
    func surplus() throws {
        let groups = Self.figures(
            [
                Self.account(0, made: 1, at: 1, sender: 1, arrivals: 1...3),
                Self.account(0, made: 4, at: 2, sender: 2, arrivals: 4...5),
                Self.account(5, made: 9, at: -1, sender: 3),
                Self.account(6, made: 9, at: 3, sender: 3, arrivals: 6...6),
            ],
            plays: (1...6).map { ($0, "a", true) })
        let figures = try #require(groups[Self.group("a")])
        #expect((figures.made, figures.arrived, figures.lost, figures.surplus) == (5, 6, 2, 3))
        #expect(figures.arrivedRatio == 0.6)
        #expect(groups[Self.group("a")]?.counts.map(\.count) == [3, 5, 6, 0, 0, 2, 3])
    }

    @Test("belong to the group that all plays share, to several, or to none")
    func groups() {
        let groups = Self.figures(
            [
                Self.account(0, made: 2, at: 1, sender: 1, arrivals: 1...2),
                Self.account(0, made: 2, at: 2, sender: 2, arrivals: 3...4),
                Self.account(0, made: 2, at: 3, sender: 3), Self.account(0, made: 2, at: 4, sender: 4, arrivals: 5...6),
                Self.account(0, made: 1, at: 5, sender: 5, arrivals: 7...7),
            ],
            plays: [
                (1, "a", true), (2, "a", true), (3, "a", true), (4, "b", true), (5, "b", true), (6, "download", true),
                (7, "download", true),
            ])
        #expect(groups[Self.group("a")]?.senders == 1)
        #expect(groups[Self.group("(several)")]?.senders == 1)
        #expect(groups[Self.group("(unknown)")]?.senders == 1)
        // A play that no CDN served arrived all the same, and names no group; a sender of nothing else is left out.
        #expect(groups[Self.group("b")]?.arrived == 2)
        #expect(groups.values.reduce(0) { $0 + $1.senders } == 4)
    }

    @Test("count with filters when one of the plays is chosen, and then wholly")
    func filters() {
        let groups = Self.figures(
            [
                Self.account(0, made: 3, at: 1, sender: 1, arrivals: 1...3),
                Self.account(0, made: 3, at: 2, sender: 2, arrivals: 4...6), Self.account(0, made: 3, at: 3, sender: 3),
            ],
            plays: [(1, "a", true), (2, "a", false), (4, "a", false), (5, "a", false)],
            filters: [PlayFilter(.network, "wifi")])
        #expect(groups.count == 1)
        #expect(
            groups[Self.group("a")].map { [Int128($0.senders), $0.made, Int128($0.arrived), $0.lost] } == [1, 3, 2, 1])
    }

    @Test("of a request outside of the period count for what was there before, and no more")
    func outside() {
        #expect(Self.figures([Self.account(0, made: 3, at: -1), Self.account(1, made: 5, at: 100)]).isEmpty)
    }
}
