import ClickHouse
import Foundation
import Reports
import Testing

@testable import PlayStore

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

    @Test("read the table of plays itself, and the views of the rest")
    func relations() throws {
        try store().rows("SELECT hour FROM plays WHERE hour >= ?", [.integer(7)]) { _ in }
        try store().rows("SELECT sum(stalls) FROM plays WHERE cdn = ?", [.text("it's")]) { _ in }
        try store().rows("SELECT account FROM accounts", []) { _ in }
        #expect(
            server.queries.map { $0.split(separator: "\n")[0] } == [
                // Which hours have plays is the same with repeats.
                "SELECT hour FROM qoe.stored_plays WHERE hour >= 7",
                #"SELECT sum(stalls) FROM qoe.stored_plays FINAL WHERE cdn = 'it\'s'"#, "SELECT account FROM accounts",
            ])
    }

    @Test("count repeats among the days alone that the hours of receipt can be about")
    func repeats() throws {
        let hours: [SQLValue] = [.integer(100 * 24), .integer(101 * 24)]
        try store().rows("SELECT sum(duplicates) FROM repeats WHERE hour >= ? AND hour <= ?", hours) { _ in }
        #expect(server.queries[0].contains("FROM qoe.stored_plays FINAL WHERE day >= 69 AND day <= 102"))
        // A repeat may be of a play that is much older than what is stored from those hours.
        #expect(!server.queries[0].contains("FROM qoe.stored_arrivals FINAL WHERE"))
        let all: [SQLValue] = [.integer(.min), .integer(.max)]
        try store().rows("SELECT sum(duplicates) FROM repeats WHERE hour >= ? AND hour <= ?", all) { _ in }
        #expect(!server.queries[1].contains("WHERE day"))
    }

    @Test("read all shards where there is a cluster")
    func cluster() throws {
        let server = FakeClickHouse(layout: "2\tstore-1\tmain\n")
        let url = try ClickHouseURL("clickhouse://one/qoe?cluster=main")
        let store = ClickHouseReportStore(ClickHouseClient(url, password: nil, exchange: server))
        try store.rows("SELECT hour\nFROM plays", []) { _ in }
        #expect(server.queries == ["SELECT hour\nFROM qoe.cluster_plays FINAL\nFORMAT TabSeparated"])
    }

    @Test("are none of tables that are another program's or another version's")
    func layout() throws {
        #expect(throws: ClickHouseFault.otherLayout(found: 7)) {
            try store(layout: "7\tstore\t\n").rows("SELECT 1", []) { _ in }
        }
    }

    @Test("have so long together, however many queries they are")
    func patienceOfAll() throws {
        let store = try store(patience: .zero)
        #expect {
            try store.rows("SELECT hour FROM plays", []) { _ in }
        } throws: { error in
            if case StoreFault.outOfPatience = error { true } else { false }
        }
        #expect(server.queries.isEmpty)
    }

    @Test("run out of patience in the same words as those from SQLite")
    func patience() throws {
        server.fail { request throws(HTTPExchangeFault) in
            let most = request.items.first { $0.name == "max_execution_time" }.flatMap { Int($0.value) }
            guard let most, (1...3).contains(most) else {
                return nil
            }
            return HTTPExchangeAnswer(status: 500, body: Data("Code: 159. DB::Exception: Timeout exceeded".utf8))
        }
        #expect {
            try store(patience: .seconds(3)).rows("SELECT hour FROM plays", []) { _ in }
        } throws: { error in
            if case StoreFault.outOfPatience = error { true } else { false }
        }
    }
}
