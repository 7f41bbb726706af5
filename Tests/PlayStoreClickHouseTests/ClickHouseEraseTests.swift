import Archive
import ClickHouse
import Foundation
import PlaybackEvents
import SQLite
import StoreTestSupport
import Testing

@testable import PlayStore
@testable import PlayStoreClickHouse

@Suite("A viewer in a store on ClickHouse")
struct ClickHouseEraseTests {
    private let fixture: StoreFixture
    private let server = FakeClickHouse()

    init() throws {
        fixture = try StoreFixture()
    }

    private func erase(marks: StoreErasure.Marks?) throws {
        let id = try #require(Identifier128(uuidText: firstId))
        let path = fixture.data.root + "/lines"
        let list = try ErasedLines.Writer(path: path)
        let reader = LogReader(directory: fixture.data.archive)
        let chunk = try #require(try reader.next(after: .beginning, maxBytes: 1))
        for line in chunk.lines.split(separator: 0x0A) where String(decoding: line, as: UTF8.self).contains(firstId) {
            try list.add(.erased, line, index: 0, end: chunk.end)
        }
        try list.close()
        let follower = try fixture.follower(into: server)
        _ = try follower.apart { store in
            let erasure = StoreErasure(
                id: "00000000000000070000000000000008", .play(id), ErasedLines(path: path), rows: path + ".rows",
                end: store.positions.plays, marks: marks
            ) { _ in }
            return (try store.erase(erasure), nil)
        }
    }

    @Test(
        "is deleted by the identifiers of their plays, taken out of what arrived, and forgotten by the record; also twice"
    )
    func erase() throws {
        try fixture.receive(events: [event(id: firstId), event(id: secondId), event()])
        try fixture.load(into: server)
        try erase(marks: nil)
        let deletes = ["stored_plays", "stored_pruned"].map { table in
            "ALTER TABLE qoe.\(table) DELETE WHERE play_id IN ('\(firstId)')"
        }
        #expect(server.statements.filter { $0.contains("DELETE") } == deletes)
        #expect(try server.rows(.arrivals).map { $0["arrivals"] } == ["3", "-1"])
        #expect(try server.rows(.arrivals)[1]["segment"] == "-1")
        let dated = try fixture.record().connection.integer("SELECT count(*) FROM receipt_dated_plays")
        #expect(dated == 1)
        // Once more after a crash: the same row replaces itself.
        try erase(marks: StoreErasure.Marks(arrivals: 0, loaded: 0, duplicates: 0))
        let added = server.insertions.filter { $0.table == "stored_arrivals" }
        #expect(added.count == 3 && added[1].bytes == added[2].bytes && added[1].token == added[2].token)
    }
}
