import Reports
import SQLite
import StoreTestSupport
import Testing

@testable import PlayStore

@Suite("What senders say they made")
struct DeliveryTallyTests {
    private let fixture: StoreFixture
    private static let day: Int64 = 24 * StoreFixture.hour
    /// 2026-11-29T00:00:00Z.
    private static let midnight = StoreFixture.halfPastTen - 10 * StoreFixture.hour - 30 * StoreFixture.minute

    init() throws {
        fixture = try StoreFixture()
    }

    private func send(_ sender: String, _ sequence: Int, made: Int, _ events: [String] = [], at moment: Int64) throws {
        let account =
            #""sender":{"senderId":"\#(sender)","sequence":\#(sequence),"made":\#(made),"dropped":0,"rejected":0}"#
        try fixture.receive(#"{\#(account),"events":[\#(events.joined(separator: ","))]}"#, at: moment)
    }

    /// Days counted from the fixture's own.
    private func range(_ first: Int64, _ last: Int64) -> Range<Int64> {
        Self.midnight + first * Self.day..<Self.midnight + (last + 1) * Self.day
    }

    private func deliveries(_ request: ReportRequest = ReportRequest(), _ periods: [Range<Int64>?]) throws
        -> [[SenderSums]]
    {
        try SQLiteReportStore(data: fixture.data).deliveries(DeliveryQuestion(PlayScope(request), periods: periods))
            .map { $0.sorted { ($0.arrived, $0.made) < ($1.arrived, $1.made) } }
    }

    /// The answers as they are, and as the rows of plays alone give them.
    private func expectBoth(_ request: ReportRequest, _ periods: [Range<Int64>?], _ expected: [[SenderSums]]? = nil)
        throws
    {
        let noted = try deliveries(request, periods)
        if let expected { #expect(noted == expected) }
        let before = try fixture.rows("SELECT account, stored FROM sender_accounts")
        try fixture.write("UPDATE sender_accounts SET stored = NULL")
        #expect(try deliveries(request, periods) == noted)
        for row in before {
            try fixture.write("UPDATE sender_accounts SET stored = \(row[1]) WHERE account = \(row[0])")
        }
    }

    @Test("is the same from what accounts note and from the rows of plays, whatever is asked")
    func noted() throws {
        let (noon, next) = (Self.midnight + Self.day / 2, Self.midnight + 3 * Self.day / 2)
        try send(
            "one", 1, made: 3,
            [event(id: firstId, #""cdnRegion":"eu""#), event(#""cdnRegion":"eu","network":"wifi""#)],
            at: noon)
        try send("two", 5, made: 9, [event(#""cdnRegion":"us""#), event(#""cdnRegion":"eu""#)], at: noon + 1)
        try send("none", 1, made: 4, at: noon + 2)
        try send("local", 1, made: 1, [event(#""source":"download","cdnRegion":"eu""#)], at: noon + 3)
        try send("one", 2, made: 6, [event(id: firstId), event(#""cdnRegion":"us""#)], at: next)
        try fixture.load()
        let periods: [Range<Int64>?] = [range(0, 0), range(1, 1)]
        var requests = [ReportRequest(), ReportRequest(by: []), ReportRequest(by: [.cdnRegion, .network])]
        requests += [ReportRequest(by: [.source]), ReportRequest(by: [.endedBy]), ReportRequest(by: [.videoId])]
        requests.append(ReportRequest(filters: [PlayFilter(.cdnRegion, "us")]))
        requests.append(ReportRequest(filters: [PlayFilter(.network, "wifi", isNegated: true)]))
        for request in requests {
            try expectBoth(request, periods)
            try expectBoth(request, [nil])
            try expectBoth(request, [range(1, 1)])
        }
        var one = SenderSums(.one(GroupKey([ByteText("us")])))
        one.addSender(made: 3, arrived: 1, dropped: 0, rejected: 0)
        try expectBoth(ReportRequest(), [range(1, 1)], [[one]])
    }

    @Test("goes by the highest account that was received before, in whatever order the log has them")
    func order() throws {
        for (sequence, hour) in [(1, 1), (4, 30), (2, 5), (3, 26)] as [(Int, Int64)] {
            try send("p", sequence, made: 10 * sequence, at: Self.midnight + hour * StoreFixture.hour)
        }
        try fixture.load()
        let made = try deliveries(ReportRequest(by: []), [range(0, 0), range(1, 1)]).map { $0.map(\.made) }
        #expect(made == [[20], [20]])
        #expect(try deliveries(ReportRequest(by: []), [range(1, 1)]).map { $0.map(\.made) } == [[20]])
        #expect(try deliveries(ReportRequest(by: []), [range(0, 1)]).map { $0.map(\.made) } == [[40]])
        #expect(try deliveries(ReportRequest(by: []), [nil]).map { $0.map(\.made) } == [[40]])
    }

    @Test("of one day reads at most four times the pages in a store of forty days that it reads in one of three")
    func pages() throws {
        func fill(_ days: Range<Int64>) throws {
            for day in days {
                for request in 0..<150 as Range<Int64> {
                    let events = (0..<6).map { _ in event(#""cdnRegion":"eu""#) }
                    let moment = Self.midnight + day * Self.day + request * 9 * StoreFixture.minute
                    let sequence = Int(day) * 150 + Int(request)
                    try send("sender-\(request % 30)", sequence, made: 6 * sequence, events, at: moment)
                }
            }
            try fixture.load()
        }
        func pages(_ day: Int64) throws -> Int {
            let store = try SQLiteReportStore(data: fixture.data)
            let before = store.connection.pagesRead
            let question = DeliveryQuestion(PlayScope(ReportRequest()), periods: [range(day, day)])
            #expect(try store.deliveries(question).first?.first?.arrived == 900)
            return store.connection.pagesRead - before
        }
        try fill(0..<3)
        let few = try pages(2)
        try fill(3..<40)
        let many = try pages(39)
        #expect(many <= 4 * few, "\(few) pages of three days, \(many) of forty")
    }
}
