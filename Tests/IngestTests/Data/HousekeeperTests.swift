import Archive
import Foundation
import Ingest
import PlaybackEvents
import PlayStore
import Synchronization
import TestSupport
import Testing

@Suite("Housekeeping")
struct HousekeeperTests {
    private let data: DataFolder
    private let clock = Clock()
    private let notices = Notices()

    private final class Clock: Sendable {
        private let time = Mutex(DataFolder.morning)
        var now: Int64 { time.withLock { $0 } }
        func step(days: Int64) { time.withLock { $0 += days * DataFolder.day } }
    }

    private final class Notices: Sendable {
        private let all = Mutex<[HousekeepingNotice]>([])
        func add(_ notice: HousekeepingNotice) { all.withLock { $0.append(notice) } }
        func take() -> [HousekeepingNotice] {
            all.withLock { notices in
                defer { notices = [] }
                return notices
            }
        }
    }

    /// Requests of each of ten days, forty of two plays and a rejected event.
    init() throws {
        data = try DataFolder()
        try data.open { keeper in
            for back in (0..<10).reversed() {
                for number in 0..<40 {
                    try receive(
                        keeper, number: 100 * back + number, at: DataFolder.morning - Int64(back) * DataFolder.day)
                }
            }
            try keeper.follower.followToEnd()
        }
    }

    private func receive(_ keeper: DataKeeper, number: Int, at receivedAt: Int64) throws {
        let body =
            #"{"sender":{"senderId":"s\#(number % 7)","sequence":\#(number + 1),"made":2,"dropped":0,"rejected":0},"events":[\#(event()),\#(event(#""ageMs":60000"#)),{}]}"#
        let receipt = Receipt.number(UInt64(number), at: receivedAt)
        try keeper.committer.commit(try Intake.judge(Array(body.utf8), receipt: receipt).lines)
    }

    private func open<Result>(
        _ configuration: HousekeepingConfiguration = .init(), _ body: (DataKeeper) throws -> Result
    ) throws -> Result {
        var configuration = configuration
        configuration.onNotice = { [notices] in notices.add($0) }
        let keeper = try DataKeeper(data.paths.root, housekeeping: configuration) { [clock] in clock.now }
        defer { keeper.stop() }
        return try body(keeper)
    }

    private func findings() throws -> [String] {
        try DataVerifier(data.paths, patienceMs: 0, sleep: { _ in }).verify().findings
    }

    private func segments(_ kind: LogKind = .plays) throws -> [Int64] {
        try SegmentList(directory: data.paths.log(kind), kind: kind).segments.map(\.sequence)
    }

    @Test("compacts closed days one after the other, each once, and says so")
    func compacts() throws {
        let lines = try data.lines()
        let rows = try data.rows("SELECT * FROM plays ORDER BY arrival")
        try open { keeper in
            let bytes = keeper.committer.bytes(after: .beginning)
            keeper.housekeeper.round()
            let said = notices.take()
            // All but the newest two of ten days.
            #expect(said.count == 8)
            let saved = said.reduce(Int64(0)) { sum, notice in
                guard case .compacted(_, let before, let after) = notice else { return sum }
                return sum + before - after
            }
            #expect(saved > 8 * 1_000)
            #expect(keeper.housekeeper.counters.compacted == 8 && keeper.housekeeper.counters.savedBytes == saved)
            #expect(keeper.committer.bytes(after: .beginning) == bytes - saved)
            keeper.housekeeper.round()
            #expect(notices.take() == [])
        }
        try open { keeper in keeper.housekeeper.round() }
        #expect(notices.take() == [])
        #expect(try data.lines() == lines)
        #expect(try findings() == [])
        try data.rebuild()
        #expect(try data.rows("SELECT * FROM plays ORDER BY arrival") == rows)
    }

    @Test("compacts nothing that the database has not read")
    func unread() throws {
        try open { keeper in
            try receive(keeper, number: 2_000, at: DataFolder.morning + DataFolder.day)
            try receive(keeper, number: 2_001, at: DataFolder.morning + 2 * DataFolder.day)
            try receive(keeper, number: 2_002, at: DataFolder.morning + 3 * DataFolder.day)
            clock.step(days: 5)
            keeper.housekeeper.round()
            // The database stands at the end of the tenth day's file, and has not begun the next.
            #expect(notices.take().count == 9)
            try keeper.follower.followToEnd()
            keeper.housekeeper.round()
            #expect(notices.take().count == 2)
        }
        #expect(try findings() == [])
    }

    @Test("waits for room, and says so once")
    func noRoom() throws {
        let free = Mutex<Int64>(0)
        var configuration = HousekeepingConfiguration()
        configuration.freeBytes = { _ in free.withLock { $0 } }
        try open(configuration) { keeper in
            keeper.housekeeper.round()
            keeper.housekeeper.round()
            let said = notices.take()
            guard said.count == 1, case .noRoom = said[0] else {
                Issue.record("\(said)")
                return
            }
            free.withLock { $0 = 1 << 40 }
            keeper.housekeeper.round()
            #expect(notices.take().count == 8)
        }
    }

    @Test("leaves a damaged file as it is, says so once, and goes on with the next")
    func damaged() throws {
        try data.edit(data.file(3)) { $0[40] ^= 1 }
        try open { keeper in
            keeper.housekeeper.round()
            let left = notices.take().filter { if case .left = $0 { true } else { false } }
            #expect(left.count == 1)
            #expect(keeper.housekeeper.counters.compacted == 7)
            keeper.housekeeper.round()
            #expect(notices.take() == [])
        }
    }

    @Test("removes old files of both logs, and has the follower remove old plays, once a day")
    func retention() throws {
        var configuration = HousekeepingConfiguration()
        configuration.keepDays = 3
        configuration.keepArchiveDays = 5
        try open(configuration) { keeper in
            keeper.housekeeper.round()
            #expect(try segments() == [5, 6, 7, 8, 9, 10])
            #expect(try segments(.rejected) == [5, 6, 7, 8, 9, 10])
            #expect(keeper.housekeeper.counters.prunedFiles == 8)
            let pruned = notices.take().compactMap { notice -> LogKind? in
                if case .pruned(let kind, _, _) = notice { kind } else { nil }
            }
            #expect(pruned == [.plays, .rejected])
            try keeper.follower.start()
            try waitUntil("old plays to go") { keeper.follower.status.totals.pruned == 6 * 80 }
            clock.step(days: 1)
            keeper.housekeeper.round()
            try waitUntil("the next day's to go") { keeper.follower.status.totals.pruned == 7 * 80 }
            try receive(keeper, number: 2_000, at: clock.now)
            try keeper.waitForStore()
        }
        #expect(try data.rows("SELECT count(*) FROM plays") == [["242"]])
        #expect(try data.rows("SELECT min(day) FROM plays") == [["\(UTCDay(holding: DataFolder.morning).number - 2)"]])
        #expect(try findings() == [])
    }

    @Test("never removes the database's plays for a clock that was set back")
    func clockBack() throws {
        var configuration = HousekeepingConfiguration()
        configuration.keepDays = 20
        configuration.keepArchiveDays = 20
        try open(configuration) { keeper in
            clock.step(days: -300)
            try keeper.follower.start()
            keeper.housekeeper.round()
            try keeper.waitForStore()
            #expect(keeper.follower.status.totals.pruned == 0)
        }
        #expect(try segments().count == 10)
    }
}
