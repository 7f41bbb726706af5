import ClickHouse
import Foundation
import Ingest
import PlayStore
import PlayStoreClickHouse
import Synchronization
import TestSupport
import Testing

@Suite("A server that feeds ClickHouse")
struct ClickHouseServerTests {
    /// A ClickHouse server that refuses everything, in the same words.
    private final class Refusing: HTTPExchange {
        let body: String?

        init(_ body: String?) { self.body = body }

        func response(to request: HTTPExchangeRequest) throws(HTTPExchangeError) -> HTTPExchangeResponse {
            guard let body else { throw HTTPExchangeError("nothing listens there") }
            return HTTPExchangeResponse(status: 500, body: Data(body.utf8))
        }
    }

    private static let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func server(_ exchange: Refusing) throws -> RunningServer {
        let url = try ClickHouseURL("clickhouse://one/qoe")
        return try RunningServer(now: Self.now) { configuration, _ in
            configuration.store = ClickHouseChoice(ClickHouseClient(url, password: nil, exchange: exchange))
        }
    }

    private func post(to server: RunningServer) throws -> Int {
        let body = #"{"events": [{"videoId": "v", "stalls": 0, "stalledMs": 0, "watchedMs": 1000}]}"#
        return try server.connect().post("/v1/playback-events", Array(body.utf8)).status
    }

    @Test("takes plays while it is away, and calls nothing degraded that may pass by itself")
    func away() throws {
        let server = try server(Refusing(nil))
        #expect(try post(to: server) == 202)
        try waitUntil("a failed load") { server.log.text.contains("load failed") }
        let ready = try server.connectToAdmin().get("/readyz")
        #expect(ready.status == 200)
        #expect(ready.text == #"{"status":"ready","reasons":[],"degraded":[]}"#)
    }

    @Test("says in its readiness and its log what an operator has to do")
    func refused() throws {
        let server = try server(Refusing("Code: 193, e.displayText() = DB::Exception: Wrong password for user default"))
        #expect(try post(to: server) == 202)
        let admin = try server.connectToAdmin()
        try waitUntil("a degraded server") { try admin.get("/readyz").text.contains("QOE_CLICKHOUSE_PASSWORD") }
        #expect(try admin.get("/readyz").status == 200)
        #expect(server.log.text.contains("QOE_CLICKHOUSE_PASSWORD"))
    }

    @Test("refuses plays when too much of the archive waits")
    func lag() throws {
        let url = try ClickHouseURL("clickhouse://one/qoe")
        let server = try RunningServer(now: Self.now) { configuration, _ in
            configuration.store = ClickHouseChoice(ClickHouseClient(url, password: nil, exchange: Refusing(nil)))
            configuration.maximumLagBytes = 1
        }
        #expect(try post(to: server) == 202)
        #expect(try post(to: server) == 503)
        #expect(try server.connectToAdmin().get("/readyz").status == 503)
    }
}
