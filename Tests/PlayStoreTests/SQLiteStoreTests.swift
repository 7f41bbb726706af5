import Archive
import Foundation
import PlayStore
import SQLite
import StoreTestSupport
import Testing

@Suite("The embedded store")
struct SQLiteStoreTests {
    private func size(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? Int) ?? -1
    }

    @Test("keeps its write-ahead log until it rests, then cuts it to nothing")
    func rest() throws {
        let fixture = try StoreFixture()
        let store = try SQLiteStore(data: fixture.data)
        try fixture.receive(events: [event(), event()])
        let (batch, end) = try fixture.batch(for: store)
        try store.commit(batch, upTo: end)
        let log = fixture.data.database + "-wal"
        #expect(try size(log) > 0)
        try store.rest()
        #expect(try size(log) == 0)
        #expect(try fixture.integer("SELECT count(*) FROM plays") == 2)
    }

    @Test("copies its write-ahead log into the database as it grows")
    func checkpoints() throws {
        let fixture = try StoreFixture()
        fixture.store.checkpointBytes = 1 << 20
        var configuration = FollowerConfiguration()
        configuration.batchRows = 1
        configuration.chunkBytes = 1
        let store = try SQLiteStore(data: fixture.data, configuration: fixture.store)
        for _ in 0..<60 { try fixture.receive(events: [event(), event()]) }
        let follower = Follower(store: store, data: fixture.data, configuration: configuration)
        try follower.followToEnd()
        #expect(try size(fixture.data.database + "-wal") < 3 << 20)
        #expect(follower.status.totals.loaded == 120)
    }

    @Test("lets a reader see one moment while it goes on")
    func readers() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event()])
        try fixture.load()
        let reader = try fixture.reader()
        try reader.execute("PRAGMA wal_autocheckpoint = 0; BEGIN")
        #expect(try reader.integer("SELECT count(*) FROM plays") == 1)
        try fixture.receive(events: [event(), event()])
        #expect(try fixture.load().loaded == 3)
        #expect(try reader.integer("SELECT count(*) FROM plays") == 1)
        try reader.execute("COMMIT")
        #expect(try reader.integer("SELECT count(*) FROM plays") == 3)
    }

    @Test("forgets what was gathered and not committed")
    func forgets() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event(#""cdn":"c","sessionId":"s""#)])
        let store = try SQLiteStore(data: fixture.data)
        _ = try fixture.batch(for: store)
        let (batch, end) = try fixture.batch(for: store)
        try store.commit(batch, upTo: end)
        #expect(store.totals.arrivals == 1)
        #expect(try fixture.rows("SELECT cdn, session_id, arrival FROM plays") == [["c", "s", "1"]])
    }

    @Test("commits a batch that failed once more, while the next is gathered behind it")
    func again() throws {
        let fixture = try StoreFixture()
        fixture.store.busyTimeoutMs = 0
        let store = try SQLiteStore(data: fixture.data, configuration: fixture.store)
        var gatherer = try store.gatherer()
        var (batches, ends): ([GatheredBatch], [LogPositions]) = ([], [])
        for session in ["a", "b"] {
            try fixture.receive(events: [event(#""sessionId":"\#(session)""#)])
            ends.append(try fixture.gather(into: &gatherer, after: ends.last ?? store.positions))
            batches.append(gatherer.seal())
        }
        let other = try SQLiteConnection(path: fixture.data.database, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        #expect(throws: SQLiteError.self) { try store.commit(batches[0], upTo: ends[0]) }
        try other.execute("COMMIT")
        for (batch, end) in zip(batches, ends) { try store.commit(batch, upTo: end) }
        #expect(
            try fixture.rows("SELECT session_id, arrival FROM plays ORDER BY arrival") == [["a", "1"], ["b", "2"]])
        #expect(store.positions == ends[1])
    }

    @Test("needs another gatherer when a prune has removed what it knew")
    func generations() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event()])
        try fixture.load()
        let store = try SQLiteStore(data: fixture.data)
        let before = store.generation
        try store.prune(before: StoreFixture.halfPastTen / 86_400_000 + 1)
        #expect(store.generation > before)
    }

    @Test("gives a commit up for which the process has no time any more, and has all of it after the next start")
    func noTime() throws {
        let fixture = try StoreFixture()
        fixture.store.secondsToEnd = 0
        try fixture.receive(events: (0..<1_000).map { _ in event() })
        do {
            let store = try SQLiteStore(data: fixture.data, configuration: fixture.store)
            let (batch, end) = try fixture.batch(for: store)
            store.endSoon()
            #expect(throws: SQLiteError.self) { try store.commit(batch, upTo: end) }
            #expect(store.positions == LogPositions())
            try store.rest()
        }
        #expect(try fixture.load().loaded == 1_000)
    }

    @Test("gives the same plays whatever its dictionaries' caches remember", arguments: [0, 40_000])
    func smallCaches(bytes: Int) throws {
        let fixture = try StoreFixture()
        fixture.store.dictionaryBytes = bytes
        var expected: [[String]] = []
        for round in 0..<6 {
            let events = (0..<100).map { index -> String in
                let number = (round * 37 + index * 13) % 150
                let (cdn, session) = ("c\(number % 7)", "session-\(number)")
                let (version, tag) = ("\(number % 5)", number % 11)
                expected.append(["\(expected.count + 1)", cdn, session, version, #"{"t":"\#(tag)"}"#])
                return event(
                    #""cdn":"\#(cdn)","sessionId":"\#(session)","appVersion":"\#(version)","tags":{"t":"\#(tag)"}"#)
            }
            try fixture.receive(events: events)
            if round % 2 == 1 { try fixture.load() }
        }
        #expect(
            try fixture.rows("SELECT arrival, cdn, session_id, app_version, tags FROM plays ORDER BY arrival")
                == expected)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }

    @Test("takes a play of no texts at all")
    func noTexts() throws {
        let fixture = try StoreFixture()
        try fixture.append(
            #"""
            {"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":0,"endedAt":5,"receivedAt":5,\#
            "requestId":"00000000000000000000000000000001"}

            """#)
        #expect(try fixture.load().loaded == 1)
        #expect(try fixture.integer("SELECT count(*) FROM runs") == 0)
        #expect(try fixture.integer("SELECT count(*) FROM deliveries") == 0)
    }
}
