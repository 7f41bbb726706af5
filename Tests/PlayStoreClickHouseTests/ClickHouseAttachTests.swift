import Archive
import ClickHouse
import StoreTestSupport
import Testing

@testable import PlayStore
@testable import PlayStoreClickHouse

@Suite("A data directory and a ClickHouse store")
struct ClickHouseAttachTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId)])
    }

    private func fault(_ server: FakeClickHouse) -> ClickHouseStoreError? {
        #expect(throws: ClickHouseStoreError.self) { try fixture.load(into: server) }
    }

    @Test("do not meet when the tables are of another layout, or another cluster's, or not there")
    func layouts() {
        #expect(fault(FakeClickHouse(layout: "9\tstore-1\t\n")) == .otherLayout(found: 9))
        #expect(fault(FakeClickHouse(layout: "5\tstore-1\tmain\n")) == .otherCluster(made: "main", named: ""))
        #expect(fault(FakeClickHouse(layout: "")) == .noLayout(database: "qoe"))
    }

    @Test("do not meet when the directory has fed another store")
    func otherStore() throws {
        try fixture.load(into: FakeClickHouse())
        try fixture.receive(events: [event(id: secondId)])
        #expect(fault(FakeClickHouse(layout: "5\tstore-2\t\n")) == .otherStore)
    }

    @Test("do not meet when another directory feeds it under the same name, or one with the same number")
    func names() {
        let server = FakeClickHouse()
        server.set(nodes: "main\t0123\n")
        #expect(fault(server) == .nodeTaken("main"))
        // Two names of one number (a hash of 17 bits).
        server.set(nodes: "\(Self.alike.0)\t0123\n")
        #expect(throws: ClickHouseStoreError.nodeNumberTaken(Self.alike.1, other: Self.alike.0)) {
            try fixture.load(into: server, node: Self.alike.1)
        }
    }

    @Test("do not meet when the store has more of the directory's logs than its record knows")
    func oldRecord() {
        let server = FakeClickHouse()
        server.set(counts: ["stored_rejections": 1])
        #expect(fault(server) == .oldRecord)
    }

    @Test("do not meet again after a rebuild that was broken off")
    func unfinished() throws {
        try ClickHouseRecord.create(at: fixture.data.clickHouseRecord, node: .standard, rebuilding: "store-1")
        #expect(fault(FakeClickHouse()) == .unfinishedRebuild)
    }

    @Test("need a record of what was loaded, once the archive has plays")
    func noRecord() throws {
        let client = ClickHouseClient(
            try ClickHouseURL("clickhouse://one/qoe"), password: nil, exchange: FakeClickHouse())
        #expect(throws: ClickHouseStoreError.noRecord(path: fixture.data.clickHouseRecord)) {
            try ClickHouseStore(data: fixture.data, client: client, node: .standard)
        }
    }

    private static let alike: (String, String) = {
        var names: [Int64: String] = [:]
        for number in 0... {
            let name = "n\(number)"
            if let other = names.updateValue(name, forKey: ClickHouseNode(name).number) { return (other, name) }
        }
        preconditionFailure("there are more names than numbers")
    }()

    @Test("may change the server's name as long as nothing was loaded")
    func rename() throws {
        let server = FakeClickHouse()
        server.set(nodes: "main\t0123\n")
        #expect(fault(server) == .nodeTaken("main"))
        try fixture.load(into: server, node: "two")
        #expect(try server.rows(.nodes).map { $0["node"] } == ["two"])
    }
}
