import ClickHouse
import Testing

@Suite("The settings of a request")
struct ClickHouseSettingsTests {
    private func names(_ purpose: ClickHouseSettings.Purpose, _ version: ClickHouseVersion) -> Set<String> {
        Set(ClickHouseSettings.items(purpose, version: version).map(\.name))
    }

    private func query(seconds: Int64 = 1, rows: Int64 = 1, responseBytes: Int64 = 1) -> ClickHouseSettings.Purpose {
        var bounds = ClickHouseSettings.Bounds()
        (bounds.seconds, bounds.rows, bounds.responseBytes) = (seconds, rows, responseBytes)
        return .query(bounds)
    }

    @Test("leave out what the server does not know")
    func versions() {
        let insertion = ClickHouseSettings.Purpose.insertion(token: "t", leavesOutRepeats: true)
        #expect(names(insertion, .oldest).contains("insert_distributed_sync"))
        for name in ["async_insert", "insert_deduplication_token", "max_partitions_per_insert_block"] {
            #expect(!names(insertion, .oldest).contains(name))
            #expect(names(insertion, .init(26, 1)).contains(name))
        }
    }

    @Test("bound a query's time and rows, on every version", arguments: [ClickHouseVersion.oldest, .init(26, 6)])
    func bounds(_ version: ClickHouseVersion) {
        let items = ClickHouseSettings.items(query(seconds: 9, rows: 77, responseBytes: 1_000), version: version)
        let values = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value) })
        #expect(values["max_execution_time"] == "9")
        #expect(values["max_rows_to_read"] == "77")
        #expect(values["max_result_bytes"] == "1000")
        #expect(values["skip_unavailable_shards"] == "0")
        #expect(values["distributed_product_mode"] == "global")
    }

    @Test(
        "read no copy that is far behind, not even for want of a better",
        arguments: [ClickHouseVersion.oldest, .init(26, 6)])
    func staleCopies(_ version: ClickHouseVersion) {
        let items = ClickHouseSettings.items(query(), version: version)
        let values = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value) })
        #expect(values["max_replica_delay_for_distributed_queries"] == "300")
        #expect(values["fallback_to_stale_replicas_for_distributed_queries"] == "0")
    }

    @Test("work around a fault of the server where it has it, and only there")
    func workaround() {
        let query = query()
        #expect(names(query, .oldest).contains("prefer_localhost_replica"))
        #expect(!names(query, .init(20, 1)).contains("prefer_localhost_replica"))
    }

    @Test("go by the first two numbers of a version")
    func parsing() throws {
        #expect(ClickHouseVersion("18.16.1") == .oldest)
        #expect(ClickHouseVersion("25.3.2.39") == .init(25, 3))
        #expect(ClickHouseVersion("nginx") == nil)
        #expect(ClickHouseVersion("1.1.54388").map { $0 < .oldest } == true)
    }
}
