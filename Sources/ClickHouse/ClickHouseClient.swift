internal import Foundation
internal import Platform
internal import Synchronization

/// Speaks to the hosts of one ``ClickHouseURL`` over HTTP: one after the other, until one answers.
///
/// May be used by several threads at a time.
package final class ClickHouseClient: Sendable {
    package let url: ClickHouseURL
    private let password: String?
    private let exchange: any HTTPExchange
    /// How long a host may take for a request without bounds of its own, in seconds.
    private let patience: Double
    private let state = Mutex(State())

    private struct State {
        /// The host that answered last: the next request begins with it.
        var current = 0
        var versions: [ClickHouseURL.Host: ClickHouseVersion] = [:]
    }

    package init(
        _ url: ClickHouseURL, password: String?, exchange: any HTTPExchange = URLSessionExchange(),
        patience: Double = 120
    ) {
        self.url = url
        self.password = password
        self.exchange = exchange
        self.patience = patience
    }

    /// From so many seconds on no response is waited for any more.
    package func end(inSeconds seconds: Double) {
        exchange.end(inSeconds: seconds)
    }

    /// Runs a query and hands over its rows.
    ///
    /// - Parameters:
    ///   - columns: how many columns a row has: a server that fails half-way writes its words among the rows.
    ///   - bounds: what the query may take; nil for ample ones, since those of the URL are for reports.
    /// - Throws: ``ClickHouseError``, or what `visit` throws.
    package func query(
        _ sql: String, columns: Int? = nil, within bounds: ClickHouseSettings.Bounds? = nil,
        _ visit: (TSVRow) throws -> Void
    ) throws {
        var ample = ClickHouseSettings.Bounds()
        ample.seconds = max(ample.seconds, url.seconds)
        let bounds = bounds ?? ample
        let response = try anywhere(
            Request(
                body: Data((sql + "\nFORMAT TabSeparated").utf8), purpose: .query(bounds),
                patience: Double(bounds.seconds) + 30))
        try TSVRows.forEach(in: response.body, columns: columns, visit)
    }

    /// The one number that a query gives.
    package func integer(_ sql: String) throws -> Int64 {
        var number: Int64?
        try query(sql, columns: 1) { number = $0.integer(0) }
        guard let number else { throw ClickHouseError("ClickHouse gave no number for \(sql)", isTransient: false) }
        return number
    }

    /// Puts rows into a table; returns when every shard that gets some has them.
    ///
    /// - Parameters:
    ///   - table: `database.table (column, …)`.
    ///   - rows: as ``RowCompressor`` makes them.
    ///   - token: names these rows, and no others, for ever.
    ///   - leavesOutRepeats: replicated tables may leave out a block that they have had, though its rows be gone since.
    /// - Throws: ``ClickHouseError``; then some, all or none of the rows may be there.
    package func insert(
        into table: String, _ rows: [UInt8], token: String, leavesOutRepeats: Bool = true
    ) throws(ClickHouseError) {
        var request = Request(
            body: Data(rows), purpose: .insertion(token: token, leavesOutRepeats: leavesOutRepeats), patience: patience)
        request.items = [("query", "INSERT INTO \(table) FORMAT TabSeparated")]
        request.fields = ["Content-Encoding": "gzip"]
        _ = try anywhere(request)
    }

    /// Runs a statement on every host, one after the other.
    package func onEveryHost(_ sql: String) throws(ClickHouseError) {
        let request = Request(body: Data(sql.utf8), purpose: .definition, patience: patience)
        for host in url.hosts { _ = try send(request, to: host).get() }
    }

    /// Runs a query on every host, one after the other.
    ///
    /// - Parameter chosen: nil for all of them.
    package func onEveryHost(
        query sql: String, columns: Int, only chosen: Set<ClickHouseURL.Host>? = nil,
        _ visit: (ClickHouseURL.Host, TSVRow) throws -> Void
    ) throws {
        let request = Request(
            body: Data((sql + "\nFORMAT TabSeparated").utf8), purpose: .definition, patience: patience)
        for host in url.hosts where chosen?.contains(host) != false {
            let response = try send(request, to: host).get()
            try TSVRows.forEach(in: response.body, columns: columns) { try visit(host, $0) }
        }
    }
}

// MARK: Requests

extension ClickHouseClient {
    private struct Request {
        var body: Data
        var purpose: ClickHouseSettings.Purpose
        var patience: Double
        var items: [(name: String, value: String)] = []
        var fields: [String: String] = [:]
    }

    /// Sends a request to the host that answered last, and to the next where that one can't serve it.
    private func anywhere(_ request: Request) throws(ClickHouseError) -> HTTPExchangeResponse {
        let first = state.withLock { $0.current }
        var faults: [ClickHouseError] = []
        for step in url.hosts.indices {
            let index = (first + step) % url.hosts.count
            switch send(request, to: url.hosts[index]) {
            case .success(let response):
                state.withLock { $0.current = index }
                return response
            case .failure(let error):
                faults.append(error)
                guard error.mayPassElsewhere else { throw error }
            }
        }
        throw ClickHouseError.together(faults)
    }

    private func send(_ request: Request, to host: ClickHouseURL.Host) -> Result<HTTPExchangeResponse, ClickHouseError>
    {
        do throws(ClickHouseError) {
            let settings = ClickHouseSettings.items(request.purpose, version: try version(of: host))
            var whole = prepared(host, request.body, patience: request.patience)
            if request.purpose != .definition { whole.items.append(("database", url.database)) }
            whole.items += settings + request.items
            whole.fields.merge(request.fields) { $1 }
            return .success(try response(to: whole))
        } catch {
            return .failure(error)
        }
    }

    private func prepared(_ host: ClickHouseURL.Host, _ body: Data, patience: Double) -> HTTPExchangeRequest {
        var fields = ["X-ClickHouse-User": url.user ?? "default"]
        if let password { fields["X-ClickHouse-Key"] = password }
        // The server keeps its response back until all of it is known to be good.
        return HTTPExchangeRequest(
            host: host, usesTLS: url.usesTLS, items: [("wait_end_of_query", "1")], fields: fields, body: body,
            patience: patience)
    }

    private func response(to request: HTTPExchangeRequest) throws(ClickHouseError) -> HTTPExchangeResponse {
        let response: HTTPExchangeResponse
        do throws(HTTPExchangeError) {
            response = try attempt(request)
        } catch {
            throw .silent(request.host, error.reason)
        }
        let header = response.fields["x-clickhouse-exception-code"]
        guard response.status == 200, header == nil else {
            throw ClickHouseError(request.host, status: response.status, header: header, body: response.body, url: url)
        }
        return response
    }

    /// Everything that is sent may be sent twice, so one connection that breaks off is no reason to fail.
    private func attempt(_ request: HTTPExchangeRequest) throws(HTTPExchangeError) -> HTTPExchangeResponse {
        do throws(HTTPExchangeError) {
            return try exchange.response(to: request)
        } catch {
            guard error.isBrokenOff else { throw error }
            return try exchange.response(to: request)
        }
    }

    private func version(of host: ClickHouseURL.Host) throws(ClickHouseError) -> ClickHouseVersion {
        if let known = state.withLock({ $0.versions[host] }) { return known }
        let response = try self.response(to: prepared(host, Data("SELECT version()".utf8), patience: min(30, patience)))
        let text = String(decoding: response.body, as: UTF8.self).filter { !$0.isNewline }
        guard let version = ClickHouseVersion(text) else {
            throw ClickHouseError("what answers at \(host) is no ClickHouse server", isTransient: false)
        }
        guard version >= .oldest else {
            throw ClickHouseError(
                "the ClickHouse server at \(host) is \(version): \(ClickHouseVersion.oldest) or newer is needed",
                isTransient: false)
        }
        state.withLock { $0.versions[host] = version }
        return version
    }
}

/// The rows of a response.
private enum TSVRows {
    /// Hands over row by row.
    ///
    /// - Parameter columns: how many a row has; a row with another number is a server's last words, or a stretch of a response
    ///   that broke off. Nil: whatever comes.
    /// - Throws: ``ClickHouseError`` for a response that is not whole; what `visit` throws.
    static func forEach(in body: Data, columns: Int?, _ visit: (TSVRow) throws -> Void) throws {
        try body.withUnsafeBytes { body in
            let bytes = body.bytes
            var start = 0
            while start < bytes.byteCount {
                let rest = bytes.extracting(start...)
                guard let length = rest.firstIndex(of: 0x0A) else { throw broken(rest) }
                let row = TSVRow([UInt8](rest.extracting(..<length))[...])
                if let columns, row.count != columns { throw broken(rest) }
                // Where exceptions come late, newer servers mark them so.
                if row.count == 1, isException(row.field(0)) { throw broken(rest) }
                try visit(row)
                start += length + 1
            }
        }
    }

    private static func isException(_ field: ArraySlice<UInt8>) -> Bool {
        field.starts(with: "Code: ".utf8) || field.starts(with: "__exception__".utf8)
    }

    private static func broken(_ rest: RawSpan) -> ClickHouseError {
        let text = String(decoding: [UInt8](rest.extracting(first: 1 << 12)), as: UTF8.self)
        let code = ClickHouseError.code(in: text)
        return ClickHouseError(
            code: code, "ClickHouse failed in the middle of its response: \(ClickHouseError.message(in: text))",
            isTransient: true)
    }
}
