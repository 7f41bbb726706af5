import Archive
import PlayStore
import SQLite
import StoreTestSupport
import Synchronization
import Testing

@Suite("Rows and place")
struct PlaceTests {
    @Test("are committed together or not at all")
    func atomic() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId)])
        try fixture.load()
        let before = try fixture.dump()

        try fixture.receive(events: [event(id: secondId), event()])
        try fixture.write("ALTER TABLE totals RENAME TO elsewhere")
        #expect(throws: (any Error).self) { try fixture.load() }
        try fixture.write("ALTER TABLE elsewhere RENAME TO totals")
        #expect(try fixture.dump() == before)

        #expect(try fixture.load().loaded == 3)
    }

    @Test("of a commit that failed are committed by the next try, once")
    func retry() throws {
        let fixture = try StoreFixture()
        let store = try SQLiteStore(data: fixture.data)
        let follower = Follower(store: store, data: fixture.data)
        try fixture.receive(events: [event(id: firstId), event(id: firstId), event()])
        try fixture.write("ALTER TABLE hours RENAME TO elsewhere")
        #expect(throws: (any Error).self) { try follower.followToEnd() }
        try fixture.write("ALTER TABLE elsewhere RENAME TO hours")
        try fixture.receive(events: [event(id: secondId)])
        try follower.followToEnd()
        #expect(follower.status.totals.loaded == 3)
        #expect(follower.status.totals.duplicates == 1)
        #expect(try fixture.rows("SELECT arrival FROM plays ORDER BY arrival") == [["1"], ["3"], ["4"]])
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }

    @Test("move when nothing but accounts, rejections or damage lies between")
    func withoutPlays() throws {
        let fixture = try StoreFixture()
        try fixture.receive(#"{"sender":{"senderId":"p","sequence":1,"made":0,"dropped":0,"rejected":0},"events":[]}"#)
        try fixture.receive(events: [event(id: firstId), "{}"])
        try fixture.load()
        #expect(
            try fixture.rows("SELECT segment, offset > 0 FROM log_places ORDER BY log") == [["1", "1"], ["1", "1"]])
        #expect(try StoreVerifier.run(data: fixture.data).isAtEnd)
    }

    @Test("wait while another process holds the database, and follow when it is free")
    func foreignLock() throws {
        let fixture = try StoreFixture()
        var store = StoreConfiguration()
        store.busyTimeoutMs = 1
        let other = Mutex<SQLiteConnection?>(nil)
        try other.withLock { other in
            let connection = try SQLiteConnection(path: fixture.data.database, mode: .readWrite)
            try connection.execute("BEGIN EXCLUSIVE")
            other = connection
        }
        let notices = Mutex<[FollowerNotice]>([])
        var configuration = FollowerConfiguration()
        configuration.firstRetryMs = 1
        configuration.onNotice = { notice in
            notices.withLock { $0.append(notice) }
            // Said once, at the first failure.
            other.withLock { $0 = nil }
        }
        try fixture.receive(events: [event(id: firstId)])
        let follower = Follower(
            store: try SQLiteStore(data: fixture.data, configuration: store), data: fixture.data,
            configuration: configuration)
        try follower.followToEnd()
        #expect(follower.status.totals.loaded == 1)
        #expect(follower.status.fault == nil)
        #expect(notices.withLock { $0.count } == 2)
        #expect(notices.withLock { $0.last } == .recovered(failures: 1))
    }

    @Test("never pass what is durable in the log")
    func durableEnd() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId)])
        let durable = fixture.committer.end(of: .plays)
        try fixture.receive(events: [event(id: secondId)])
        var configuration = FollowerConfiguration()
        configuration.durableEnd = { log in log == .plays ? durable : .beginning }
        #expect(try fixture.load(configuration).loaded == 1)
        #expect(try fixture.load().loaded == 2)
    }
}
