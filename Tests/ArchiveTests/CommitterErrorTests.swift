import Archive
import Foundation
import TestSupport
import Testing

@Suite("When the disk fails, the committer")
struct CommitterErrorTests {
    let fixture: LogFixture
    let disk = ScriptedDisk()
    let notices = Notices()
    let configuration: CommitterConfiguration

    init() throws {
        fixture = try LogFixture()
        var configuration = CommitterConfiguration()
        configuration.files = disk.files
        configuration.onNotice = notices.add
        self.configuration = configuration
    }

    private let file = "plays-main-0000000001.ndjson.gz"

    @Test("has synced the new file, its folder and the folder above before the first answer, and one file after that")
    func order() throws {
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            #expect(disk.calls == ["write \(file)", "sync \(file)", "sync day=2026-11-30", "sync archive"])
            disk.forgetCalls()
            try committer.commit(LogFixture.play("b"))
            #expect(disk.calls == ["write \(file)", "syncData \(file)"])
            disk.forgetCalls()
            try committer.commit(LogFixture.play("c", at: LogFixture.noon + LogFixture.dayMs))
            let next = "plays-main-0000000002.ndjson.gz"
            #expect(disk.calls == ["write \(next)", "sync \(next)", "sync day=2026-12-01", "sync archive"])
            disk.forgetCalls()
            try committer.commit(LogFixture.play("d"))
            let third = "plays-main-0000000003.ndjson.gz"
            #expect(disk.calls == ["write \(third)", "sync \(third)", "sync day=2026-11-30"])
            // A folder that was pruned away meanwhile is a new one.
            try FileManager.default.removeItem(atPath: fixture.paths.archive + "/day=2026-12-01")
            disk.forgetCalls()
            try committer.commit(LogFixture.play("e", at: LogFixture.noon + LogFixture.dayMs))
            let fourth = "plays-main-0000000004.ndjson.gz"
            #expect(disk.calls == ["write \(fourth)", "sync \(fourth)", "sync day=2026-12-01", "sync archive"])
        }
    }

    @Test("makes durable at start what a process that died may have left unsynced")
    func orderAtStart() throws {
        try fixture.commit(["a"])
        try fixture.withCommitter(configuration) { committer in
            #expect(disk.calls == ["sync \(file)", "sync day=2026-11-30", "sync archive"])
            disk.forgetCalls()
            try committer.commit(LogFixture.play("b"))
            #expect(disk.calls == ["write \(file)", "syncData \(file)"])
        }
    }

    @Test("undoes the short write on a full disk, says so once, and recovers by itself", arguments: [ENOSPC, EDQUOT])
    func full(code: Int32) throws {
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            disk.fail(.write, 1, .short(7, then: code))
            #expect(reason { try committer.commit(LogFixture.play("b")) } == .full)
            #expect(try fixture.zcat() == ["a"])
            #expect(!committer.snapshot().lastCommitGood)
            disk.failAlways(.write, code)
            for _ in 0..<5 { #expect(reason { try committer.commit(LogFixture.play("c")) } == .full) }
            disk.failAlways(.write, nil)
            try committer.commit(LogFixture.play("d"))
            #expect(committer.snapshot().lastCommitGood)
            #expect(committer.snapshot().failures == 6)
        }
        #expect(try fixture.files().count == 1)
        #expect(try fixture.follow().texts == ["a", "d"])
        guard case .commitsFail(let fault) = notices.all.first else {
            Issue.record("\(notices.all)")
            return
        }
        #expect(fault.isFull)
        #expect(notices.all.dropFirst() == [.commitsSucceed(failed: 6)])
    }

    @Test("leaves no empty file when the first write to a new one fails")
    func fullAtFirst() throws {
        try fixture.withCommitter(configuration) { committer in
            disk.fail(.write, 1, .short(3, then: ENOSPC))
            #expect(reason { try committer.commit(LogFixture.play("a")) } == .full)
            #expect(try fixture.files() == [])
            try committer.commit(LogFixture.play("b"))
        }
        #expect(try fixture.files() == ["day=2026-11-30/\(file)"])
        #expect(try fixture.follow().texts == ["b"])
    }

    @Test("finishes a write of which the system took only a part")
    func shortWrite() throws {
        try fixture.withCommitter(configuration) { committer in
            disk.fail(.write, 1, .short(5, then: EINTR))
            try committer.commit(LogFixture.play("a"))
        }
        #expect(try fixture.follow().texts == ["a"])
    }

    @Test("takes a write that takes nothing for a failure")
    func emptyWrite() throws {
        try fixture.withCommitter(configuration) { committer in
            disk.fail(.write, 1, .short(0, then: EIO))
            #expect(reason { try committer.commit(LogFixture.play("a")) } == .failed)
        }
    }

    @Test("never acknowledges another byte of a file whose sync failed, and goes on in a new one")
    func syncFails() throws {
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            disk.fail(.syncData, 1, .error(EIO))
            #expect(reason { try committer.commit(LogFixture.play("b")) } == .failed)
            #expect(committer.end(of: .plays).segment == 1)
            disk.forgetCalls()
            try committer.commit(LogFixture.play("c"))
            try committer.commit(LogFixture.play("d"))
            #expect(!disk.calls.contains { $0.hasSuffix(file) })
        }
        #expect(try fixture.files().count == 2)
        #expect(try fixture.read("day=2026-11-30/\(file)") == LogFixture.member(["a"]))
        #expect(try fixture.follow().texts == ["a", "c", "d"])
        #expect(try fixture.zcat() == ["a", "c", "d"])
    }

    @Test("answers a full disk that shows only at the sync as full")
    func fullAtSync() throws {
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            disk.fail(.syncData, 1, .late(ENOSPC))
            #expect(reason { try committer.commit(LogFixture.play("b")) } == .full)
            try committer.commit(LogFixture.play("c"))
        }
        #expect(try fixture.follow().texts == ["a", "c"])
    }

    @Test("removes a new file that can't be made durable, itself or its name", arguments: [1, 2, 3])
    func newFileFails(sync: Int) throws {
        try fixture.withCommitter(configuration) { committer in
            disk.fail(.sync, sync, .error(EIO))
            #expect(reason { try committer.commit(LogFixture.play("a")) } == .failed)
            #expect(try fixture.files() == [])
            #expect(committer.end(of: .plays) == .beginning)
            disk.forgetCalls()
            try committer.commit(LogFixture.play("b"))
            #expect(disk.calls == ["write \(file)", "sync \(file)", "sync day=2026-11-30", "sync archive"])
        }
        #expect(try fixture.follow().texts == ["b"])
    }

    @Test("acknowledges nothing while every sync fails, and goes on when they succeed")
    func syncsFail() throws {
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            disk.failAlways(.syncData, EIO)
            disk.failAlways(.sync, EIO)
            for _ in 0..<5 { #expect(reason { try committer.commit(LogFixture.play("b")) } == .failed) }
            disk.failAlways(.syncData, nil)
            disk.failAlways(.sync, nil)
            try committer.commit(LogFixture.play("c"))
        }
        #expect(try fixture.follow().texts == ["a", "c"])
        #expect(try ArchiveVerifier(fixture.paths).verify().findings == [])
    }

    @Test("commits nothing any more when a file can't be cut back, and the next start mends it")
    func fatal() throws {
        try fixture.withCommitter(configuration) { committer in
            try committer.commit(LogFixture.play("a"))
            disk.fail(.write, 1, .short(9, then: ENOSPC))
            disk.fail(.truncate, 1, .error(EIO))
            #expect(reason { try committer.commit(LogFixture.play("b")) } == .full)
            #expect(committer.snapshot().fatal?.code == EIO)
            #expect(reason { try committer.commit(LogFixture.play("c")) } == .failed)
        }
        #expect(try fixture.zcat() == nil)
        #expect(notices.all.count { if case .fatal = $0 { true } else { false } } == 1)
        try fixture.commit(["d"])
        #expect(try fixture.follow().texts == ["a", "d"])
        #expect(try fixture.zcat() == ["a", "d"])
    }

    @Test("puts nothing of a request into the plays' log when its rejections can't be kept")
    func quarantineFails() throws {
        let both = LogLines(plays: Array("a\n".utf8), rejected: Array("x\n".utf8), receivedAt: LogFixture.noon)
        try fixture.withCommitter(configuration) { committer in
            disk.failAlways(.write, ENOSPC)
            #expect(reason { try committer.commit(both) } == .full)
            disk.failAlways(.write, nil)
            disk.fail(.sync, 1, .error(EIO))
            #expect(reason { try committer.commit(both) } == .failed)
            #expect(committer.snapshot().quarantineKept == 0)
            try committer.commit(both)
            #expect(committer.snapshot().quarantineKept == 1)
        }
        #expect(try fixture.follow().texts == ["a"])
        #expect(try fixture.follow(.rejected).texts == ["x"])
    }

    @Test("does not start on a log whose last file can't be made durable")
    func startFails() throws {
        try fixture.commit(["a"])
        disk.fail(.sync, 1, .error(EIO))
        #expect(throws: FileError.self) { try fixture.commit(["b"], configuration) }
        try fixture.commit(["b"])
        #expect(try fixture.follow().texts == ["a", "b"])
    }

    @Test("keeps each acknowledged commit and no other, whatever fails when")
    func randomFaults() throws {
        var random = SeededGenerator(seed: 33)
        for _ in 0..<30 {
            let fixture = try LogFixture()
            let disk = ScriptedDisk()
            var configuration = CommitterConfiguration()
            configuration.files = disk.files
            configuration.segmentBytes = 120
            var acknowledged: [String] = []
            for round in 0..<4 {
                try? fixture.withCommitter(configuration) { committer in
                    for index in 0..<20 {
                        switch Int.random(in: 0..<8, using: &random) {
                        case 0: disk.fail(.write, 1, .short(Int.random(in: 0..<20, using: &random), then: ENOSPC))
                        case 1: disk.fail(.syncData, 1, .error(EIO))
                        case 2: disk.fail(.sync, Int.random(in: 1...3, using: &random), .late(EIO))
                        case 3: disk.fail(.truncate, 1, .error(EIO))
                        default: break
                        }
                        let text = "\(round)-\(index)"
                        if reason({ try committer.commit(LogFixture.play(text)) }) == nil { acknowledged.append(text) }
                    }
                }
            }
            try fixture.withCommitter { _ in }
            // A member that was written whole, but neither synced nor cut back, may have come to stay.
            let kept = try fixture.follow().texts.filter { acknowledged.contains($0) }
            #expect(kept == acknowledged)
            #expect(throws: Never.self) { try fixture.inflated() }
        }
    }
}
