import Archive
import Synchronization
import TestSupport
import Testing

@Suite("The committer")
struct CommitterTests {
    @Test("gives back what was committed, in order and once, also after restarts, and zcat reads it")
    func readsBack() throws {
        let fixture = try LogFixture()
        var texts: [String] = []
        for round in 0..<3 {
            let more = (0..<10).map { "{\"round\":\(round),\"index\":\($0)}" }
            try fixture.commit(more, CommitterConfiguration())
            texts += more
        }
        for maxBytes in [1, 100, 1 << 20] { #expect(try fixture.follow(maxBytes: maxBytes).texts == texts) }
        #expect(try fixture.zcat() == texts)
        #expect(try fixture.files() == ["day=2026-11-30/plays-main-0000000001.ndjson.gz"])
        #expect(try fixture.files(.rejected).isEmpty)
    }

    @Test("leaves the last file as it is where it is told so, and goes on in the next")
    func anotherFile() throws {
        let fixture = try LogFixture()
        try fixture.commit(["a"], CommitterConfiguration())
        var configuration = CommitterConfiguration()
        configuration.resumesFiles = false
        try fixture.commit(["b"], configuration)
        #expect(
            try fixture.files() == [
                "day=2026-11-30/plays-main-0000000001.ndjson.gz", "day=2026-11-30/plays-main-0000000002.ndjson.gz",
            ])
        #expect(try fixture.follow().texts == ["a", "b"])
    }

    @Test("keeps plays, rejections and reports in a log each")
    func threeLogs() throws {
        let fixture = try LogFixture()
        try fixture.withCommitter { committer in
            try committer.commit(
                LogLines(
                    plays: Array("a\nb\n".utf8), rejected: Array("c\n".utf8), reports: Array("e\n".utf8),
                    receivedAt: LogFixture.noon))
            try committer.commit(LogFixture.report("f"))
            try committer.commit(LogFixture.rejection("d"))
            try committer.commit(LogLines(receivedAt: LogFixture.noon))
        }
        #expect(try fixture.follow().texts == ["a", "b"])
        #expect(try fixture.follow(.rejected).texts == ["c", "d"])
        #expect(try fixture.follow(.reports).texts == ["e", "f"])
        #expect(try fixture.files(.rejected) == ["day=2026-11-30/rejected-main-0000000001.ndjson.gz"])
        #expect(try fixture.files(.reports) == ["day=2026-11-30/reports-main-0000000001.ndjson.gz"])
    }

    @Test("takes commits of eight threads, each durable and read back once")
    func concurrent() throws {
        let fixture = try LogFixture()
        var configuration = CommitterConfiguration()
        configuration.segmentBytes = 20_000
        let faults = Mutex(0)
        try fixture.withCommitter(configuration) { committer in
            onThreads(8) { thread in
                for index in 0..<100 {
                    do {
                        try committer.commit(LogFixture.play("\(thread)-\(index)"))
                    } catch {
                        faults.withLock { $0 += 1 }
                    }
                }
            }
            let snapshot = committer.snapshot()
            #expect(snapshot.commits == 800)
            #expect(snapshot.groupCommits.sum == 800)
            #expect(snapshot.groupCommits.count == snapshot.syncSeconds.count)
            #expect(snapshot.queueBytes == 0)
        }
        #expect(faults.withLock { $0 } == 0)
        let texts = try fixture.follow().texts
        #expect(texts.count == 800)
        for thread in 0..<8 {
            let own = texts.filter { $0.hasPrefix("\(thread)-") }
            #expect(own == (0..<100).map { "\(thread)-\($0)" })
        }
    }

    @Test("begins a new file where the next member would pass the limit")
    func rolls() throws {
        let fixture = try LogFixture()
        var configuration = CommitterConfiguration()
        let member = LogFixture.member(["play 0"])
        configuration.segmentBytes = Int64(2 * member.count)
        let texts = (0..<7).map { "play \($0)" }
        try fixture.commit(texts, configuration)
        #expect(try fixture.files().count == 4)
        for file in try fixture.files() { #expect(try fixture.read(file).count <= 2 * member.count) }
        #expect(try fixture.follow().texts == texts)
    }

    @Test("puts each request into the file of its day, at midnight and when the clock steps back")
    func days() throws {
        let fixture = try LogFixture()
        let midnight = LogFixture.noon + LogFixture.dayMs / 2
        let times = [midnight - 2, midnight - 1, midnight, midnight + 1, midnight - 1, midnight + 2]
        try fixture.withCommitter { committer in
            for (index, time) in times.enumerated() { try committer.commit(LogFixture.play("\(index)", at: time)) }
        }
        #expect(
            try fixture.files() == [
                "day=2026-11-30/plays-main-0000000001.ndjson.gz", "day=2026-12-01/plays-main-0000000002.ndjson.gz",
                "day=2026-11-30/plays-main-0000000003.ndjson.gz", "day=2026-12-01/plays-main-0000000004.ndjson.gz",
            ])
        #expect(try fixture.follow().texts == ["0", "1", "2", "3", "4", "5"])
    }

    @Test("splits a group at midnight by day")
    func groupAtMidnight() throws {
        let fixture = try LogFixture()
        let gate = Gate()
        let midnight = LogFixture.noon + LogFixture.dayMs / 2
        try fixture.withCommitter(gate.configuration) { committer in
            let threads = Threads()
            threads.start { try? committer.commit(LogFixture.play("first", at: midnight - 9)) }
            gate.waitForSync()
            for (text, time) in [("new", midnight), ("old", midnight - 1), ("newer", midnight + 1)] {
                threads.start { try? committer.commit(LogFixture.play(text, at: time)) }
                gate.waitForQueue(committer, holding: text)
            }
            gate.open()
            threads.join()
        }
        #expect(try fixture.files().count == 2)
        #expect(try fixture.follow().texts == ["first", "old", "new", "newer"])
    }

    @Test("takes all that waits as one member")
    func groups() throws {
        let fixture = try LogFixture()
        let gate = Gate()
        try fixture.withCommitter(gate.configuration) { committer in
            let threads = Threads()
            for text in ["1", "22", "333", "4444"] {
                threads.start { try? committer.commit(LogFixture.play(text)) }
                if text == "1" { gate.waitForSync() } else { gate.waitForQueue(committer, holding: text) }
            }
            gate.open()
            threads.join()
            #expect(committer.snapshot().groupCommits.counts[0...2] == [1, 0, 1])
        }
        #expect(try fixture.follow().texts == ["1", "22", "333", "4444"])
        let file = try fixture.read(try fixture.files()[0])
        #expect(file == LogFixture.member(["1"]) + LogFixture.member(["22", "333", "4444"]))
    }

    @Test("takes no more for one member than a group may have")
    func boundedGroups() throws {
        let fixture = try LogFixture()
        let gate = Gate()
        var configuration = gate.configuration
        configuration.groupBytes = 10
        try fixture.withCommitter(configuration) { committer in
            let threads = Threads()
            threads.start { try? committer.commit(LogFixture.play("first")) }
            gate.waitForSync()
            for text in ["aaaa", "bbbb", "cccc", "longer than a group"] {
                threads.start { try? committer.commit(LogFixture.play(text)) }
                gate.waitForQueue(committer, holding: text)
            }
            gate.open()
            threads.join()
        }
        let groups = [["first"], ["aaaa", "bbbb"], ["cccc"], ["longer than a group"]]
        #expect(try fixture.read(try fixture.files()[0]) == groups.flatMap { LogFixture.member($0) })
    }

    @Test("refuses what the queue has no room for, and what no queue would have room for")
    func bounds() throws {
        let fixture = try LogFixture()
        let gate = Gate()
        var configuration = gate.configuration
        configuration.queueBytes = 10
        try fixture.withCommitter(configuration) { committer in
            let threads = Threads()
            threads.start { try? committer.commit(LogFixture.play("first")) }
            gate.waitForSync()
            threads.start { try? committer.commit(LogFixture.play("second")) }
            gate.waitForQueue(committer, holding: "second")
            #expect(reason { try committer.commit(LogFixture.play("third")) } == .queueFull)
            #expect(reason { try committer.commit(LogFixture.play("eleven bytes")) } == .tooLarge)
            gate.open()
            threads.join()
            try committer.commit(LogFixture.play("third"))
        }
        #expect(try fixture.follow().texts == ["first", "second", "third"])
    }

    @Test("commits what waits when it is stopped, and refuses what comes later")
    func stops() throws {
        let fixture = try LogFixture()
        let gate = Gate()
        let committer = try Committer(
            directory: DataDirectory(fixture.paths.root), configuration: gate.configuration)
        let threads = Threads()
        threads.start { try? committer.commit(LogFixture.play("first")) }
        gate.waitForSync()
        threads.start { try? committer.commit(LogFixture.play("second")) }
        gate.waitForQueue(committer, holding: "second")
        threads.start { committer.stop() }
        gate.open()
        threads.join()
        #expect(reason { try committer.commit(LogFixture.play("third")) } == .stopping)
        committer.stop()
        #expect(try fixture.follow().texts == ["first", "second"])
    }

    @Test("tells a follower of each commit the end of the plays' log, and how far a place lies behind")
    func tells() throws {
        let fixture = try LogFixture()
        let ends = Mutex<[LogPosition]>([])
        var configuration = CommitterConfiguration()
        configuration.segmentBytes = 1
        configuration.onCommit = { end in ends.withLock { $0.append(end) } }
        try fixture.withCommitter(configuration) { committer in
            #expect(committer.end(of: .plays) == .beginning)
            try committer.commit(LogFixture.play("a"))
            try committer.commit(LogFixture.rejection("x"))
            try committer.commit(LogFixture.play("b"))
            #expect(
                committer.bytes(after: .beginning) == committer.snapshot().archivedBytes.signed
                    - committer.bytes(after: .beginning, in: .rejected))
        }
        let length = Int64(LogFixture.member(["a"]).count)
        let (first, second) = (LogPosition(segment: 1, offset: length), LogPosition(segment: 2, offset: length))
        #expect(ends.withLock { $0 } == [first, first, second])
        try fixture.withCommitter { committer in
            #expect(committer.end(of: .plays) == LogPosition(segment: 2, offset: length))
            #expect(committer.bytes(after: .beginning) == 2 * length)
            #expect(committer.bytes(after: LogPosition(segment: 1, offset: length - 3)) == length + 3)
            #expect(committer.bytes(after: LogPosition(segment: 1, offset: length + 9)) == length)
            #expect(committer.bytes(after: LogPosition(segment: 2, offset: 1)) == length - 1)
            #expect(committer.bytes(after: LogPosition(segment: 3, offset: 0)) == 0)
        }
        let reader = LogReader(directory: fixture.paths.archive)
        #expect(try reader.bytes(after: .beginning) == 2 * length)
        #expect(try reader.bytes(after: LogPosition(segment: 2, offset: 1)) == length - 1)
    }

    @Test("names its files after its node, and goes on with the count of another")
    func nodes() throws {
        let fixture = try LogFixture()
        var configuration = CommitterConfiguration()
        try fixture.commit(["a"], configuration)
        configuration.node = try #require(NodeName("edge-2"))
        try fixture.commit(["b"], configuration)
        try fixture.commit(["c"], configuration)
        #expect(
            try fixture.files() == [
                "day=2026-11-30/plays-main-0000000001.ndjson.gz", "day=2026-11-30/plays-edge-2-0000000002.ndjson.gz",
            ])
        #expect(try fixture.follow().texts == ["a", "b", "c"])
    }

    @Test("keeps a time of receipt beyond all calendars in the first or last day")
    func extremeTimes() throws {
        let fixture = try LogFixture()
        try fixture.withCommitter { committer in
            try committer.commit(LogFixture.play("first", at: .min))
            try committer.commit(LogFixture.play("last", at: .max))
        }
        #expect(try fixture.files().map { $0.prefix(14) } == ["day=0000-01-01", "day=9999-12-31"])
        #expect(try fixture.follow().texts == ["first", "last"])
    }

    @Test("ends when nobody holds it any more, and lets go of the directory")
    func goes() throws {
        let fixture = try LogFixture()
        do {
            let committer = try Committer(
                directory: DataDirectory(fixture.paths.root), configuration: LogFixture.unsynced)
            try committer.commit(LogFixture.play("a"))
        }
        try fixture.commit(["b"])
        #expect(try fixture.follow().texts == ["a", "b"])
    }

    @Test("counts rejected events and keeps them no longer above the quarantine's bound")
    func quarantineBound() throws {
        let fixture = try LogFixture()
        let notices = Notices()
        var configuration = CommitterConfiguration()
        configuration.onNotice = notices.add
        configuration.quarantineBytes = Int64(2 * LogFixture.member(["event 0"]).count)
        try fixture.withCommitter(configuration) { committer in
            for index in 0..<4 {
                try committer.commit(
                    LogLines(
                        plays: Array("play \(index)\n".utf8), rejected: Array("event \(index)\n".utf8),
                        receivedAt: LogFixture.noon))
            }
            let snapshot = committer.snapshot()
            #expect(snapshot.quarantineKept == 2)
            #expect(snapshot.quarantineDropped == 2)
            #expect(snapshot.quarantineBytes == configuration.quarantineBytes)
            #expect(snapshot.commits == 4)
        }
        #expect(try fixture.follow(.rejected).texts == ["event 0", "event 1"])
        #expect(try fixture.follow().texts == ["play 0", "play 1", "play 2", "play 3"])
        #expect(notices.all == [.quarantineFull(bytes: configuration.quarantineBytes)])
    }
}

extension UInt64 {
    fileprivate var signed: Int64 { Int64(self) }
}
