import SQLite
import StoreTestSupport
import Testing

@testable import PlayStore

@Suite("Columns of closed hours")
struct HourColumnsTests {
    /// Four hours that are closed, the second of few plays, and three that are not.
    private func filled(seed: UInt64 = 1) throws -> ColumnsFixture {
        var columns = try ColumnsFixture(seed: seed)
        try columns.receive(900, inHour: 0)
        try columns.receive(40, inHour: 1)
        try columns.fixture.load()
        try columns.receive(700, inHour: 2)
        try columns.receive(500, inHour: 3)
        try columns.receive(300, inHour: 4)
        try columns.receive(300, inHour: 5)
        try columns.receive(300, inHour: 6)
        try columns.fixture.load()
        return columns
    }

    @Test("are made when a play was loaded that was received two hours after their end, of hours with enough plays")
    func closing() throws {
        var columns = try ColumnsFixture()
        try columns.receive(300, inHour: 0)
        try columns.receive(300, inHour: 2)
        try columns.fixture.load()
        #expect(try columns.hoursWithColumns().isEmpty)
        try columns.receive(20, inHour: 3)
        try columns.fixture.load()
        #expect(Set(try columns.hoursWithColumns().keys) == [0])
        try columns.receive(1, inHour: 9)
        try columns.fixture.load()
        // The third is too small.
        #expect(Set(try columns.hoursWithColumns().keys) == [0, 2])
    }

    @Test("give a reader what the rows say, in whatever order and of whatever columns", arguments: [1, 2, 3])
    func same(seed: UInt64) throws {
        var columns = try filled(seed: seed)
        #expect(try columns.hoursWithColumns().count == 3)
        // Late plays of closed hours, too.
        try columns.receive(60, inHour: 6, age: 6)
        try columns.fixture.load()
        let expected = try columns.playsOfView()
        #expect(expected.count == 3_100)
        #expect(try columns.plays(in: columns.stretches()) == expected)

        let stored = try columns.stretches(ColumnBlobs.selection)
        let withoutVideos = try columns.plays(in: stored, withVideo: false)
        #expect(try withoutVideos == columns.playsOfView(withVideo: false))
        let backward = try columns.stretches(ColumnBlobs.selection, order: .backward)
        #expect(backward.count == stored.count)
        #expect(zip(stored, backward.reversed()).allSatisfy { $0.hasSamePlays(as: $1) })
        let first = StoreFixture.halfPastTen / StoreFixture.hour
        let some = try columns.stretches(ColumnBlobs.selection, hours: first + 2...first + 3)
        #expect(Set(some.map(\.hour)) == [first + 2, first + 3])
        #expect(
            some.reduce(0) { $0 + $1.count }
                == stored.filter { (first + 2...first + 3).contains($0.hour) }.reduce(0) { $0 + $1.count })
    }

    @Test("have the plays of a session together, by time, and one number for it whatever its devices")
    func order() throws {
        let columns = try filled()
        let connection = try columns.fixture.reader()
        var texts: [Int32: String] = [:]
        let runs = try connection.prepare("SELECT id, session_id FROM runs")
        while try runs.step() { texts[Int32(runs.int(0))] = runs.text(1) }
        var numbers: [String: Set<Int32>] = [:]
        for plays in try columns.stretches(ColumnBlobs.selection) {
            var seen: Set<Int32> = []
            for index in 0..<plays.count {
                let session = plays.session[index]
                if session != 0 { numbers[texts[session] ?? "", default: []].insert(session) }
                if index > 0, session == plays.session[index - 1] {
                    #expect(plays.endedMs[index] >= plays.endedMs[index - 1])
                } else {
                    #expect(seen.insert(session).inserted)
                }
            }
        }
        #expect(numbers[""] == nil)
        #expect(numbers.values.allSatisfy { $0.count == 1 })
        // Some have several runs.
        #expect(texts.count > numbers.count + 20)
    }

    @Test(
        "stay when a play comes late, which becomes a delayed row, and are made anew when these are more than a tenth")
    func delayed() throws {
        var columns = try ColumnsFixture()
        try columns.receive(300, inHour: 0)
        try columns.receive(1, inHour: 3)
        try columns.fixture.load()
        #expect(try columns.hoursWithColumns() == [0: 300])
        let hour = ColumnsFixture.beginning / StoreFixture.hour
        let late = ColumnsFixture.beginning + 61 * StoreFixture.minute
        // Its times alone would make it a row like the others: received in the next hour.
        try columns.fixture.receive(events: [event(#""ageMs":600000,"startupMs":77"#)], at: late)
        try columns.fixture.load()
        #expect(try columns.fixture.integer("SELECT count(*) FROM delayed_plays WHERE hour = \(hour)") == 1)
        #expect(try columns.hoursWithColumns() == [0: 300])
        let stretches = try columns.stretches(ColumnBlobs.selection, hours: hour...hour)
        #expect(stretches.map(\.count) == [300, 1])
        #expect(stretches[1].startupMs[0] == 77)

        let more = (0..<33).map { _ in event(#""ageMs":600000"#) }
        try columns.fixture.receive(events: more, at: late)
        try columns.fixture.load()
        #expect(try columns.hoursWithColumns() == [0: 334])
        #expect(try columns.stretches(ColumnBlobs.selection, hours: hour...hour).map(\.count) == [334])
        #expect(try columns.plays(in: columns.stretches()) == columns.playsOfView())
        #expect(try StoreVerifier.run(data: columns.fixture.data).findings == [])
    }

    @Test("know a play that comes again, whichever table it lies in")
    func repeats() throws {
        var columns = try ColumnsFixture()
        let fixture = columns.fixture
        try columns.receive(300, inHour: 0)
        let prompt = event(id: firstId, #""ageMs":1000"#)
        let late = event(id: secondId, #""ageMs":600000"#)
        try fixture.receive(events: [prompt], at: ColumnsFixture.beginning + 10 * StoreFixture.minute)
        try columns.receive(1, inHour: 3)
        try fixture.load()
        for _ in 0..<2 {
            try fixture.receive(events: [prompt], at: ColumnsFixture.beginning + 10 * StoreFixture.minute)
            try fixture.receive(events: [late], at: ColumnsFixture.beginning + 61 * StoreFixture.minute)
        }
        let totals = try fixture.load()
        #expect(totals.loaded == 303)
        #expect(totals.duplicates == 3)
        #expect(totals.conflicts == 0)
    }

    @Test("are the same bytes when the database is made anew, however it was loaded")
    func deterministic() throws {
        let columns = try filled()
        let sql = "SELECT id, hex(data) FROM play_columns ORDER BY id"
        let before = try columns.plays(in: columns.stretches())
        try StoreRebuild.run(data: columns.fixture.data)
        let once = try columns.fixture.rows(sql)
        #expect(!once.isEmpty)
        #expect(try columns.plays(in: columns.stretches()) == before)
        try StoreRebuild.run(data: columns.fixture.data)
        #expect(try columns.fixture.rows(sql) == once)
    }

    @Test("are made by a follower that waits for plays, too")
    func follower() throws {
        var columns = try ColumnsFixture()
        let follower = Follower(
            store: try SQLiteStore(data: columns.fixture.data), data: columns.fixture.data)
        try follower.start()
        try columns.receive(300, inHour: 0)
        try columns.receive(300, inHour: 1)
        try columns.receive(1, inHour: 9)
        follower.wake()
        try follower.followToEnd()
        var rounds = 0
        while try columns.hoursWithColumns().count < 2, rounds < 1_000 {
            try follower.followToEnd()
            rounds += 1
        }
        follower.stop()
        #expect(try columns.hoursWithColumns() == [0: 300, 1: 300])
    }

    @Test("of a database that has none are made by themselves, oldest first, and the plays are the same meanwhile")
    func filledIn() throws {
        let columns = try filled()
        let expected = try columns.plays(in: columns.stretches())
        try columns.fixture.write(
            "DELETE FROM play_columns; UPDATE hours SET column_plays = NULL, column_arrival = NULL")
        #expect(try columns.plays(in: columns.stretches()) == expected)
        try columns.fixture.load()
        #expect(try columns.hoursWithColumns().count == 3)
        #expect(try columns.plays(in: columns.stretches()) == expected)
    }

    @Test("of an hour too large to be held at once are the same as of one that is not")
    func large() throws {
        let columns = try filled()
        let connection = try columns.fixture.reader()
        let loop = try SQLiteRowLoop(connection)
        let hour = ColumnsFixture.beginning / StoreFixture.hour
        var blobs: [[HourColumns.Blob]] = []
        for most in [100, 1 << 19] {
            let rows = try HourRows(connection, loop: loop, mostAtOnce: most)
            blobs.append(try HourColumns(of: hour, before: .max, expecting: 900, from: rows).blobs)
        }
        #expect(blobs[0].map(\.id) == blobs[1].map(\.id))
        #expect(blobs[0].map(\.words) == blobs[1].map(\.words))
    }

    @Test("go with the plays when those are pruned")
    func pruned() throws {
        var columns = try filled()
        try columns.receive(300, inHour: 40)
        try columns.receive(1, inHour: 50)
        try columns.fixture.load()
        #expect(try columns.hoursWithColumns().count == 7)
        let store = try SQLiteStore(data: columns.fixture.data)
        try store.prune(before: (ColumnsFixture.beginning / StoreFixture.hour + 30) / 24)
        #expect(try columns.hoursWithColumns() == [40: 300])
        #expect(
            try columns.fixture.integer(
                "SELECT count(*) FROM play_columns WHERE id < \((ColumnsFixture.beginning / StoreFixture.hour + 30) << 20)"
            ) == 0)
        #expect(try columns.plays(in: columns.stretches()) == columns.playsOfView())
        #expect(try StoreVerifier.run(data: columns.fixture.data).findings == [])
    }

    @Test(
        "are held against their rows by the verifier",
        arguments: [
            "UPDATE prompt_plays SET startup_ms = startup_ms + 1 WHERE arrival = 5",
            "UPDATE play_columns SET data = (SELECT data FROM play_columns LIMIT 1) WHERE id & 63 = 6",
            "DELETE FROM play_columns WHERE id & 63 = 3", "UPDATE hours SET column_plays = column_plays - 1",
            "UPDATE hours SET column_arrival = 3 WHERE column_plays > 800", "DELETE FROM run_hashes",
            "UPDATE run_hashes SET hashes = zeroblob(7680)", "INSERT INTO play_columns VALUES (5, x'00')",
            "UPDATE runs SET session_id = 'other' WHERE id = 3",
        ])
    func verified(change: String) throws {
        let columns = try filled()
        #expect(try StoreVerifier.run(data: columns.fixture.data).findings == [])
        try columns.fixture.write(change)
        #expect(try StoreVerifier.run(data: columns.fixture.data).count > 0)
    }

    @Test("that are damaged are an error that names hour and column")
    func damaged() throws {
        let columns = try filled()
        let hour = ColumnsFixture.beginning / StoreFixture.hour
        try columns.fixture.write(
            "UPDATE play_columns SET data = substr(data, 1, 40) WHERE id = \(hour << 20) + 6")
        let error = #expect(throws: ColumnError.self) { try columns.stretches(ColumnBlobs.selection) }
        #expect(error?.hour == hour)
        #expect(error?.column == "startupMs")
        #expect(error?.description.contains("'qoe rebuild'") == true)
        let found = try StoreVerifier.run(data: columns.fixture.data).findings
        #expect(found == [.columnDiffers(hour: hour, column: "startupMs")])
    }
}
