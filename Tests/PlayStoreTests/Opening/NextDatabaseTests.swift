import Archive
import Foundation
import PlayStore
import PlaybackEvents
import StoreTestSupport
import Synchronization
import Testing
import TestSupport

@Suite("A database that is built beside another")
struct NextDatabaseTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        try fixture.receive(events: [event(id: firstId), event()])
        try fixture.receive(events: ["{}", event(id: secondId)], at: StoreFixture.halfPastTen + StoreFixture.hour)
        try fixture.load()
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Opens the database for writing, and closes it.
    private func open() throws -> (totals: StoreTotals, outcomes: [NextDatabase.Outcome]) {
        let outcomes = Mutex<[NextDatabase.Outcome]>([])
        var configuration = StoreConfiguration()
        configuration.onNext = { outcome in outcomes.withLock { $0.append(outcome) } }
        let totals = try SQLiteStore(data: fixture.data, configuration: configuration).totals
        return (totals, outcomes.withLock { $0 })
    }

    /// The databases; a reader may leave an empty log beside one.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.data.root).sorted().filter {
            $0.hasPrefix("qoe.sqlite") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
    }

    @Test("takes its place when that is next opened for writing, and is followed on from where it was")
    func placed() throws {
        let before = try fixture.dump()
        // The column keeps nobody's attention: it shows whose rows are read.
        try fixture.write("UPDATE prompt_plays SET watched_ms = 1")
        #expect(try NextDatabase.build(data: fixture.data).loaded == 3)
        #expect(try fixture.dump() != before)
        #expect(try names() == ["qoe.sqlite", "qoe.sqlite.next"])
        #expect(try open().outcomes == [.placed])
        #expect(try names() == ["qoe.sqlite"])
        #expect(try fixture.dump() == before)
        #expect(try open().outcomes == [])
        try fixture.receive(events: [event(id: firstId), event()])
        let totals = try fixture.load()
        #expect(totals.loaded == 4 && totals.duplicates == 1)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }

    @Test("holds no more than what the one in use has, beside a writer: more may not be durable")
    func durable() throws {
        try fixture.receive(events: [event()])
        #expect(try NextDatabase.build(data: fixture.data).loaded == 3)
        // Where nobody can tell, it leaves out the newest file.
        try Data(repeating: 0x55, count: 4_096).write(to: URL(fileURLWithPath: fixture.data.database))
        #expect(try NextDatabase.build(data: fixture.data).loaded == 0)
        fixture.committer.stop()
    }

    @Test("is found by the next start, whatever a crash has left of the old one", arguments: 0...3)
    func crash(step: Int) throws {
        let before = try fixture.dump()
        try NextDatabase.build(data: fixture.data)
        let path = fixture.data.database
        if step == 1 { try Data("log".utf8).write(to: URL(fileURLWithPath: path + "-wal")) }
        if step > 0 { try FileManager.default.removeItem(atPath: path) }
        if step == 2 { try Data().write(to: URL(fileURLWithPath: path)) }
        if step == 3 { try FileManager.default.moveItem(atPath: fixture.data.nextDatabase, toPath: path) }
        #expect(try open().outcomes == (step == 3 ? [] : [.placed]))
        #expect(try names() == ["qoe.sqlite"])
        #expect(try fixture.dump() == before)
    }

    @Test(
        "stays where it is when it is another directory's, none of ours, or half a file",
        arguments: ["other", "none", "half"])
    func refused(kind: String) throws {
        let before = try fixture.dump()
        let next = URL(fileURLWithPath: fixture.data.nextDatabase)
        if kind == "other" {
            let other = try StoreFixture()
            try NextDatabase.build(data: other.data)
            try FileManager.default.moveItem(atPath: other.data.nextDatabase, toPath: next.path)
        } else if kind == "none" {
            try Data(repeating: 0x55, count: 20_000).write(to: next)
        } else {
            try NextDatabase.build(data: fixture.data)
            try Data(contentsOf: next).prefix(16_384).write(to: next)
        }
        let outcome = try #require(try open().outcomes.first)
        guard case .refused(let reason) = outcome else {
            Issue.record("it was put in place")
            return
        }
        #expect(kind != "other" || reason.contains("is the database of another data directory"), "\(reason)")
        #expect(try fixture.dump() == before)
        // Another one comes over it.
        try NextDatabase.build(data: fixture.data)
        #expect(try open().outcomes == [.placed])
        #expect(try fixture.dump() == before)
    }

    @Test("stays where it is when files were pruned before it had read them, and not when it had", arguments: [1, 2])
    func pruned(days: Int64) throws {
        try NextDatabase.build(data: fixture.data)
        let aside = fixture.folder.path("aside")
        try FileManager.default.moveItem(atPath: fixture.data.nextDatabase, toPath: aside)
        let day = 24 * StoreFixture.hour
        for number in 1...3 {
            try fixture.receive(events: [event()], at: StoreFixture.halfPastTen + Int64(number) * day)
        }
        try fixture.load()
        let removed = try LogPruner(fixture.directory).prune(
            .plays, before: UTCDay(holding: StoreFixture.halfPastTen + days * day),
            readUpTo: EmbeddedChoice().positions(fixture.data).plays)
        #expect(removed.files == Int(days))
        try FileManager.default.moveItem(atPath: aside, toPath: fixture.data.nextDatabase)
        let outcome = try #require(try open().outcomes.first)
        if days == 1 {
            #expect(outcome == .placed)
            #expect(try fixture.load().loaded == 6)
            #expect(try StoreVerifier.run(data: fixture.data).findings == [])
        } else {
            #expect("\(outcome)".contains("was pruned before it was read"), "\(outcome)")
        }
    }

    @Test("goes when somebody is being erased whom it may hold", arguments: [EraseFolder.Part.position, .plan])
    func erased(part: EraseFolder.Part) throws {
        try NextDatabase.build(data: fixture.data)
        let folder = EraseFolder(fixture.data)
        let request = EraseFolder.Request(.session(Array("s".utf8)))
        try folder.add(request)
        try folder.write("", request.id, part)
        let before = try fixture.dump()
        guard case .refused(let reason)? = try open().outcomes.first else {
            Issue.record("it was put in place")
            return
        }
        #expect(reason.contains("somebody is being erased"))
        #expect(try names() == ["qoe.sqlite"] && fixture.dump() == before)
    }

    @Test("is not built by two at once, and goes when a rebuild has made another")
    func single() throws {
        var following = FollowerConfiguration()
        following.batchRows = 1
        var words = ""
        try NextDatabase.build(data: fixture.data, follower: following) { _ in
            do {
                try NextDatabase.build(data: fixture.data)
            } catch {
                words = "\(error)"
            }
        }
        #expect(words == "somebody is building \(fixture.data.nextDatabase): wait until it is done")
        try StoreRebuild.run(data: fixture.data)
        #expect(try names() == ["qoe.sqlite"])
    }

    @Test("leaves nothing behind for longer than to the next start when its builder was killed")
    func killed() throws {
        let part = URL(fileURLWithPath: fixture.data.nextDatabase + ".part")
        var following = FollowerConfiguration()
        following.batchRows = 1
        var names: [String] = []
        try NextDatabase.build(data: fixture.data, follower: following) { _ in
            // Whoever builds keeps it.
            _ = try? open()
            names = (try? self.names()) ?? []
        }
        #expect(names == ["qoe.sqlite", "qoe.sqlite.next.part"])
        _ = try open()
        try Data().write(to: part)
        _ = try open()
        #expect(try self.names() == ["qoe.sqlite"])
    }

    @Test("leaves nothing when it can't be made")
    func failure() throws {
        struct Full: Error {}
        try fixture.append("no line of ours\n")
        try fixture.load()
        var following = FollowerConfiguration()
        following.quarantine = { _ in throw Full() }
        #expect(throws: Full.self) { try NextDatabase.build(data: fixture.data, follower: following) }
        #expect(try names() == ["qoe.sqlite"])
    }
}
