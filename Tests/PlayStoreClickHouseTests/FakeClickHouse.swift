import ClickHouse
import Foundation
import Gzip
import Synchronization

@testable import PlayStore
@testable import PlayStoreClickHouse

/// A ClickHouse server as far as a follower needs one: it keeps the bytes that were posted, and fails when told so.
final class FakeClickHouse: HTTPExchange {
    struct Insertion: Equatable, Sendable {
        var table: String
        var bytes: Data
        var token: String?
        var host: String
    }

    private struct State {
        var insertions: [Insertion] = []
        var nodes = ""
        /// Tables that were there before, with their engines.
        var engines = ""
        /// Called before a request is answered; what it throws is no answer, what it gives is the answer.
        var fault: (@Sendable (HTTPExchangeRequest) throws(HTTPExchangeError) -> HTTPExchangeResponse?)?
        /// Rows of a lookup.
        var elsewhere = ""
        var queries: [String] = []
        var statements: [String] = []
        /// What queries that count say, by a part of their text; 0 for others.
        var counts: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let layout: String

    /// - Parameter layout: the row of the table `layout`.
    init(layout: String = "5\tstore-1\t\n") {
        self.layout = layout
    }

    /// What arrived, what was answered with a failure included.
    var insertions: [Insertion] { state.withLock { $0.insertions } }

    /// Queries but those about version and layout.
    var queries: [String] { state.withLock { $0.queries } }

    func fail(_ fault: (@Sendable (HTTPExchangeRequest) throws(HTTPExchangeError) -> HTTPExchangeResponse?)?) {
        state.withLock { $0.fault = fault }
    }

    func set(elsewhere: String) { state.withLock { $0.elsewhere = elsewhere } }

    func response(to request: HTTPExchangeRequest) throws(HTTPExchangeError) -> HTTPExchangeResponse {
        if let insert = request.items.first(where: { $0.name == "query" })?.value {
            let table = insert.split(separator: " ")[2]
            let insertion = Insertion(
                table: String(table.split(separator: ".").last ?? ""), bytes: request.body,
                token: request.items.first { $0.name == "insert_deduplication_token" }?.value,
                host: request.host.name)
            state.withLock { $0.insertions.append(insertion) }
            if insertion.table == "stored_nodes", let text = try? Gunzip.inflate(Array(request.body), limit: 1 << 20) {
                let row = String(decoding: text, as: UTF8.self).split(separator: "\t")
                state.withLock { $0.nodes += "\(row[0])\t\(row[2])" }
            }
        }
        if let fault = state.withLock({ $0.fault }), let answer = try fault(request) { return answer }
        return HTTPExchangeResponse(status: 200, body: Data(text(for: request).utf8))
    }

    private func text(for request: HTTPExchangeRequest) -> String {
        let query = String(decoding: request.body, as: UTF8.self)
        if query == "SELECT version()" { return "26.1.1\n" }
        if query.contains(".layout") { return layout }
        return state.withLock { state in
            if query.hasPrefix("SELECT") { state.queries.append(query) } else { state.statements.append(query) }
            if query.hasPrefix("ALTER TABLE qoe.stored_nodes DROP PARTITION '"),
                let name = query.split(separator: "'").last
            {
                let rows = state.nodes.split(separator: "\n").filter { !$0.hasPrefix("\(name)\t") }
                state.nodes = rows.map { "\($0)\n" }.joined()
            }
            if query.hasPrefix("SELECT count()") {
                return "\(state.counts.first { query.contains($0.key) }?.value ?? 0)\n"
            }
            if query.hasPrefix("SELECT name, engine") { return state.engines }
            if query.contains("stored_nodes FINAL") { return state.nodes }
            if query.hasPrefix("SELECT DISTINCT hour") { return state.elsewhere }
            return ""
        }
    }

    /// Statements that are neither queries nor insertions.
    var statements: [String] { state.withLock { $0.statements } }

    func set(counts: [String: Int]) { state.withLock { $0.counts = counts } }

    /// Servers that feed the store, and their data directories.
    var nodes: String { state.withLock { $0.nodes } }

    func set(engines: String) { state.withLock { $0.engines = engines } }

    func set(nodes: String) { state.withLock { $0.nodes = nodes } }

    /// The rows of a table, repeats included, each as its columns by name; NULL is "NULL".
    func rows(_ table: ClickHouseTable) throws -> [[String: String]] {
        try insertions.filter { $0.table == table.rawValue }.flatMap { insertion in
            let text = try Gunzip.inflate(Array(insertion.bytes), limit: 1 << 26)
            return text.split(separator: UInt8(ascii: "\n")).map { line in
                let row = TSVRow(line)
                let values = table.columns.enumerated().map { index, column in
                    (column.name, row.isNull(index) ? "NULL" : String(decoding: row.text(index), as: UTF8.self))
                }
                return Dictionary(uniqueKeysWithValues: values)
            }
        }
    }
}
