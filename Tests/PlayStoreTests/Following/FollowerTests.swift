import Archive
import PlayStore
import StoreTestSupport
import Synchronization
import Testing

@Suite("The follower")
struct FollowerTests {
    private func follower(
        _ fixture: StoreFixture, _ change: (inout FollowerConfiguration) -> Void = { _ in }
    ) throws -> Follower {
        var configuration = FollowerConfiguration()
        let committer = fixture.committer
        configuration.durableEnd = { committer.end(of: $0) }
        change(&configuration)
        return Follower(store: try SQLiteStore(data: fixture.data), data: fixture.data, configuration: configuration)
    }

    @Test("on its own thread loads what was committed before it is asked for the end")
    func thread() throws {
        let fixture = try StoreFixture()
        let follower = try follower(fixture)
        try follower.start()
        for round in 1...5 {
            try fixture.receive(events: [event(), event()])
            follower.wake()
            try follower.followToEnd()
            #expect(try fixture.integer("SELECT count(*) FROM plays") == Int64(2 * round))
        }
        #expect(follower.status.isAtEnd)
        #expect(follower.status.totals.loaded == 10)
        #expect(follower.status.positions.plays == fixture.committer.end(of: .plays))
        follower.stop()
        follower.stop()
        #expect(throws: FollowerStopped.self) { try follower.followToEnd() }
    }

    @Test("loads in full batches, one gathered while another is committed, and gives the same")
    func batches() throws {
        let fixture = try StoreFixture()
        for round in 0..<60 {
            try fixture.receive(
                events: (0..<20).map { index in
                    event(
                        id: "01930000-0000-4000-8000-0000000000\(10 + (round + index) % 80)",
                        #""sessionId":"s\#(round)""#)
                })
        }
        let follower = try follower(fixture) { configuration in
            configuration.batchRows = 50
            configuration.chunkBytes = 1
        }
        var arrivals: [Int64] = []
        try follower.followToEnd { arrivals.append($0.totals.arrivals) }
        #expect(arrivals.count > 10)
        #expect(arrivals == arrivals.sorted())
        #expect(arrivals.last == 1_200)
        #expect(follower.status.totals.loaded == 79)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
        let before = try fixture.dump()
        try StoreRebuild.run(data: fixture.data)
        #expect(try fixture.dump() == before)
    }

    @Test("survives a failure of a commit that runs beside the gathering")
    func failureBeside() throws {
        let fixture = try StoreFixture()
        for _ in 0..<20 { try fixture.receive(events: [event(), event(id: firstId), event()]) }
        let follower = try follower(fixture) { configuration in
            configuration.batchRows = 7
            configuration.chunkBytes = 1
            configuration.firstRetryMs = 1
            configuration.onNotice = { notice in
                if case .failed = notice { try? fixture.write("ALTER TABLE elsewhere RENAME TO hours") }
            }
        }
        try fixture.write("ALTER TABLE hours RENAME TO elsewhere")
        try follower.start()
        try follower.followToEnd()
        follower.stop()
        #expect(follower.status.totals.loaded == 41)
        #expect(follower.status.totals.duplicates == 19)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }

    @Test("says since when it has been behind")
    func lag() throws {
        let fixture = try StoreFixture()
        let follower = try follower(fixture)
        #expect(follower.status.lagSeconds == 0)
        follower.wake()
        let first = follower.status.lagSeconds
        follower.wake()
        #expect(follower.status.lagSeconds >= first)
        #expect(follower.status.lagSeconds > 0)
        try follower.followToEnd()
        #expect(follower.status.lagSeconds == 0)
    }

    @Test("is not behind as long as each look takes it to the end")
    func lagUnderTraffic() throws {
        let fixture = try StoreFixture()
        let follower = try follower(fixture)
        follower.wake()
        for _ in 0..<3 {
            try fixture.receive(events: [event()])
            try follower.followToEnd()
            #expect(follower.status.isAtEnd)
            #expect(follower.status.lagSeconds == 0)
        }
    }

    @Test("stops while the store fails, and tells who waited for the end")
    func stopWhileFailing() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [event()])
        let stopped = Mutex<Follower?>(nil)
        let follower = try follower(fixture) { configuration in
            configuration.onNotice = { notice in
                if case .failed = notice { stopped.withLock { $0 }?.requestStop() }
            }
        }
        stopped.withLock { $0 = follower }
        try fixture.write("ALTER TABLE hours RENAME TO elsewhere")
        try follower.start()
        #expect(throws: FollowerStopped.self) { try follower.followToEnd() }
        #expect(follower.status.fault?.contains("hours") == true)
        follower.stop()
        stopped.withLock { $0 = nil }
        #expect(try fixture.integer("SELECT count(*) FROM plays") == 0)
    }
}
