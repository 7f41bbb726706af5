import ClickHouse
import Foundation
import Reports
import Testing

@testable import PlayStore
@testable import PlayStoreClickHouse

@Suite("Reports from ClickHouse")
struct ClickHouseReportStoreTests {
    private let server = FakeClickHouse()

    private func store(_ items: String = "", layout: String? = nil, patience: Duration? = nil) throws
        -> ClickHouseReportStore
    {
        let server = layout.map { FakeClickHouse(layout: $0) } ?? server
        let url = try ClickHouseURL("clickhouse://one/qoe\(items)")
        return ClickHouseReportStore(ClickHouseClient(url, password: nil, exchange: server), patience: patience)
    }

    private func sums(_ store: ClickHouseReportStore, _ filters: [PlayFilter] = []) throws {
        let scope = PlayScope(ReportRequest(filters: filters))
        _ = try store.sums(SumsQuestion(scope, periods: [100 * 86_400_000..<101 * 86_400_000]))
    }

    @Test("read the table of plays itself, each play once, and the days alone that are asked for")
    func relations() throws {
        try sums(store())
        #expect(!server.queries.isEmpty)
        for query in server.queries {
            #expect(query.contains("FROM qoe.stored_plays FINAL"), "\(query)")
            #expect(query.contains("WHERE day >= 100 AND day <= 100"), "\(query)")
        }
        _ = try store().hours(in: nil)
        #expect(server.queries.last?.contains("FROM qoe.stored_plays FINAL GROUP BY hour") == true)
    }

    @Test("let groups come back, and neither sessions nor plays")
    func bounded() throws {
        try sums(store())
        for query in server.queries {
            // The outermost query groups by what groups share, by nothing, or by a startup time.
            let last = query.split(separator: "\n").last { $0.hasPrefix("GROUP BY") || $0.hasPrefix(")") } ?? ""
            #expect(!last.contains("GROUP BY s") && !last.contains("play_id"), "\(query)")
        }
    }

    @Test("hold every word of a user as a literal")
    func literals() throws {
        let evil = "it's'; DROP TABLE plays; --?"
        try sums(store(), [PlayFilter(.network, evil), PlayFilter(.tag("x"), evil, isNegated: true)])
        for query in server.queries {
            #expect(query.components(separatedBy: #"'it\'s\'; DROP TABLE plays; --?'"#).count >= 3, "\(query)")
        }
    }

    @Test("count repeats among the days alone that the hours of receipt can be about")
    func repeats() throws {
        _ = try store().receipts(in: 100 * 24...101 * 24)
        #expect(server.queries[0].contains("FROM qoe.stored_plays FINAL WHERE day >= 69 AND day <= 102"))
        // A repeat may be of a play that is much older than what is stored from those hours.
        #expect(!server.queries[0].contains("FROM qoe.stored_arrivals FINAL WHERE"))
        _ = try store().receipts(in: nil)
        #expect(!server.queries[2].contains("WHERE day"))
    }

    @Test("read all shards where there is a cluster")
    func cluster() throws {
        let server = FakeClickHouse(layout: "5\tstore-1\tmain\n")
        let url = try ClickHouseURL("clickhouse://one/qoe?cluster=main")
        try sums(ClickHouseReportStore(ClickHouseClient(url, password: nil, exchange: server)))
        #expect(server.queries.allSatisfy { $0.contains("FROM qoe.cluster_plays FINAL") })
    }

    @Test("are none of tables that are another program's or another version's")
    func layout() throws {
        #expect(throws: ClickHouseStoreError.otherLayout(found: 7)) {
            _ = try store(layout: "7\tstore\t\n").hours(in: nil)
        }
    }

    @Test("have so long together, however many queries they are")
    func patienceOfAll() throws {
        let store = try store(patience: .zero)
        #expect {
            _ = try store.hours(in: nil)
        } throws: { error in
            if case SQLiteStoreError.outOfPatience = error { true } else { false }
        }
        #expect(server.queries.isEmpty)
    }

    @Test("run out of patience in the same words as those from SQLite")
    func patience() throws {
        server.fail { request throws(HTTPExchangeError) in
            let most = request.items.first { $0.name == "max_execution_time" }.flatMap { Int($0.value) }
            guard let most, (1...3).contains(most) else {
                return nil
            }
            return HTTPExchangeResponse(status: 500, body: Data("Code: 159. DB::Exception: Timeout exceeded".utf8))
        }
        #expect {
            _ = try store(patience: .seconds(3)).hours(in: nil)
        } throws: { error in
            if case SQLiteStoreError.outOfPatience = error { true } else { false }
        }
    }
}
