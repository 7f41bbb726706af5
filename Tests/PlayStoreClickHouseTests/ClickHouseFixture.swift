import Archive
import ClickHouse
import StoreTestSupport

@testable import PlayStore
@testable import PlayStoreClickHouse

extension StoreFixture {
    /// A follower of the fixture's logs into a ClickHouse server.
    func follower(
        into server: FakeClickHouse, hosts: String = "one", node: String = "main",
        _ configuration: FollowerConfiguration = .init()
    ) throws -> Follower {
        let client = ClickHouseClient(
            try ClickHouseURL("clickhouse://\(hosts)/qoe"), password: nil, exchange: server)
        // The fixture's database stands for nothing here; without a record an archive with plays is refused.
        if !hasRecord { try ClickHouseRecord.create(at: data.clickHouseRecord, node: NodeName(node) ?? .standard) }
        let store = try ClickHouseStore(data: data, client: client, node: NodeName(node) ?? .standard)
        return Follower(store: store, data: data, configuration: configuration)
    }

    private var hasRecord: Bool { (try? ClickHouseRecord.existing(data)) != nil }

    /// Loads all there is, in a store that is opened and closed for it.
    @discardableResult
    func load(into server: FakeClickHouse, node: String = "main") throws -> StoreTotals {
        let follower = try follower(into: server, node: node)
        try follower.followToEnd()
        return follower.status.totals
    }

    func record() throws -> ClickHouseRecord { try ClickHouseRecord.existing(data) }
}
