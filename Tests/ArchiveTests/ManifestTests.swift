import Archive
import Foundation
import TestSupport
import Testing

@Suite("The manifest")
struct ManifestTests {
    let fixture: LogFixture

    /// Files 1–5 of the 28th, 29th, 30th, 1st and 2nd, a line in each, and one of the quarantine.
    init() throws {
        fixture = try LogFixture()
        try fill(fixture, -2...2)
        try fixture.withCommitter { committer in try committer.commit(LogFixture.rejection("x")) }
    }

    private func fill(_ fixture: LogFixture, _ days: ClosedRange<Int>) throws {
        try fixture.withCommitter { committer in
            for day in days {
                let time = LogFixture.noon + Int64(day) * LogFixture.dayMs
                try committer.commit(LogFixture.play("\(day)", at: time))
            }
        }
    }

    private func findings(_ fixture: LogFixture) throws -> [String] {
        try Inventory(fixture.paths).findings.map { "\($0)" }
    }

    private func remove(_ fixture: LogFixture, _ indices: Int...) throws {
        let files = try fixture.files()
        for index in indices { try FileManager.default.removeItem(atPath: fixture.paths.archive + "/" + files[index]) }
    }

    @Test("has each file that was made, with its lines once it is closed, and the servers that made them")
    func made() throws {
        let manifest = try #require(try Manifest.read(fixture.paths))
        #expect(manifest.nodes == [.standard])
        let files = manifest[.plays].files.values.sorted { $0.name.sequence < $1.name.sequence }
        #expect(files.map(\.name.path) == (try fixture.files()))
        #expect(files.allSatisfy { $0.closed?.lines == 1 && $0.removedLines == nil })
        #expect(try findings(fixture) == [])
        // What a start goes on in is counted on, and not once more after a crash.
        try fixture.commit(["a", "b"], at: 2)
        #expect(try #require(try Manifest.read(fixture.paths))[.plays].files[5]?.closed?.lines == 3)
    }

    @Test("keeps its directory's identity through every start")
    func identity() throws {
        let first = try #require(try Manifest.read(fixture.paths)).identity
        for _ in 0..<2 { #expect(try fixture.directory().manifest.manifest.identity == first) }
        let other = try LogFixture(made: true)
        #expect(try #require(try Manifest.read(other.paths)).identity != first)
    }

    @Test("names files that are missing: the first, one in the middle, the last, a whole day", arguments: 0..<5)
    func missing(index: Int) throws {
        let file = try fixture.files()[index]
        try remove(fixture, index)
        #expect(try findings(fixture) == ["archive/\(file) is missing"])
        // Neither does a start forget it, nor does its number come again.
        try fixture.commit(["new"], at: 3)
        #expect(try findings(fixture) == ["archive/\(file) is missing"])
        #expect(try fixture.files().last?.hasSuffix("0000000006.ndjson.gz") == true)
        // Put back, it is a file as before.
        try fixture.write(LogFixture.member(["\(index - 2)"]), file)
        #expect(try findings(fixture) == [])
    }

    @Test("names a missing file of the quarantine, too")
    func missingRejected() throws {
        let file = try #require(try fixture.files(.rejected).first)
        try FileManager.default.removeItem(atPath: fixture.paths.rejected + "/" + file)
        #expect(try findings(fixture) == ["rejected/\(file) is missing"])
    }

    @Test("names a file of another server, which nobody reads, whatever its number")
    func foreign() throws {
        for sequence in [3, 9] {
            let file = "day=2026-11-30/plays-alpha-000000000\(sequence).ndjson.gz"
            try fixture.write(LogFixture.member(["foreign"]), file)
            #expect(try findings(fixture).last?.hasPrefix("archive/\(file): a file of another server, alpha") == true)
        }
        #expect(try fixture.follow().texts == ["-2", "-1", "0", "1", "2"])
        try fixture.commit(["new"], at: 2)
        #expect(try findings(fixture).count == 2)
        // One that writes here under that name is another's no more.
        var configuration = LogFixture.unsynced
        configuration.node = try #require(NodeName("alpha"))
        try fixture.withCommitter(configuration) { _ in }
        #expect(try Inventory(fixture.paths).findings.allSatisfy { if case .foreign = $0 { false } else { true } })
    }

    @Test("tells what was pruned from what is missing")
    func pruned() throws {
        let day = try #require(UTCDay("2026-11-30"))
        let position = LogPosition(segment: 5, offset: 0)
        #expect(try LogPruner(fixture.directory()).prune(.plays, before: day, readUpTo: position).files == 2)
        #expect(try findings(fixture) == [])
        let file = try fixture.files()[0]
        try remove(fixture, 0)
        #expect(try findings(fixture) == ["archive/\(file) is missing"])
    }

    @Test("takes a pruned file in again that somebody has put back, and counts its lines once")
    func putBack() throws {
        let file = try fixture.files()[0]
        let bytes = try fixture.read(file)
        let day = try #require(UTCDay("2026-11-30"))
        _ = try LogPruner(fixture.directory()).prune(.plays, before: day, readUpTo: LogPosition(segment: 5, offset: 0))
        #expect(try Inventory(fixture.paths).log(.plays)?.removedLines == 2)
        try fixture.write(bytes, file)
        #expect(try Inventory(fixture.paths).log(.plays)?.removedLines == 1)
        try fixture.withCommitter { _ in }
        #expect(try #require(try Manifest.read(fixture.paths))[.plays].removedLines == 1)
        #expect(try findings(fixture) == [])
        try FileManager.default.removeItem(atPath: fixture.paths.archive + "/" + file)
        #expect(try findings(fixture) == ["archive/\(file) is missing"])
    }

    @Test("gives up each file once, also where it is written anew for it")
    func lostOnce() throws {
        try remove(fixture, 0)
        let disk = ScriptedDisk()
        let directory = try fixture.directory(disk.files)
        disk.fail(.syncData, 1, .error(EIO))
        let lines = try Inventory(fixture.paths).givingUp
        #expect(throws: FileError.self) { try directory.manifest.append(lines) }
        try directory.manifest.append(lines)
        #expect(directory.manifest.manifest[.plays].lost.count == 1)
        #expect(try Manifest.read(fixture.paths) == directory.manifest.manifest)
    }

    @Test("knows the last day of which a file may have gone, that of a gap that no line names, too")
    func lastGoneDay() throws {
        #expect(try Inventory(fixture.paths).lastGoneDay(of: .plays) == nil)
        // A directory whose manifest was lost with the file that lies in between.
        let days = try fixture.files().map { $0.dropFirst(4).prefix(10) }
        try remove(fixture, 2)
        try FileManager.default.removeItem(atPath: fixture.paths.manifest)
        _ = try fixture.directory()
        let inventory = try Inventory(fixture.paths)
        #expect(inventory.findings == [.missing(.plays, 3...3)])
        #expect(inventory.lastGoneDay(of: .plays) == UTCDay(days[3]))
        try fixture.directory().manifest.append(inventory.givingUp)
        #expect(try Inventory(fixture.paths).lastGoneDay(of: .plays) == UTCDay(days[3]))
    }

    @Test("names no file any more that was given up")
    func lost() throws {
        try remove(fixture, 0, 3)
        let directory = try fixture.directory()
        try directory.manifest.append(try Inventory(fixture.paths).givingUp)
        #expect(try findings(fixture) == [])
    }

    @Test(
        "is made of what is there where there was none; a gap at the beginning is then unknown",
        arguments: [false, true])
    func madeLater(isPruned: Bool) throws {
        try FileManager.default.removeItem(atPath: fixture.paths.manifest)
        try remove(fixture, 0, 1)
        #expect(try findings(fixture) == [])
        _ = try DataDirectory(fixture.paths.root) { _ in RememberedDirectory(identity: nil, isPruned: isPruned) }
        let unknown = try Inventory(fixture.paths)
        #expect(unknown.log(.plays)?.isBeginningUnknown == true)
        #expect(unknown.findings == (isPruned ? [] : [.unknown(.plays, 1...2)]))
        let file = try fixture.files()[0]
        try remove(fixture, 0)
        #expect(try findings(fixture).last == "archive/\(file) is missing")
    }

    @Test("takes the identity that a store has where it was lost")
    func remembered() throws {
        let identity = String(repeating: "0a", count: 16)
        try FileManager.default.removeItem(atPath: fixture.paths.manifest)
        let directory = try DataDirectory(fixture.paths.root) { _ in RememberedDirectory(identity: identity) }
        #expect(directory.manifest.manifest.identity == identity)
    }

    @Test("that ends in half a line has the whole ones, and goes on behind them")
    func torn() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: fixture.paths.manifest))
        for cut in 1..<40 {
            try whole.dropLast(cut).write(to: URL(fileURLWithPath: fixture.paths.manifest))
            try fixture.withCommitter { _ in }
            #expect(try findings(fixture) == [])
            #expect(try #require(try Manifest.read(fixture.paths)).strangeLines == [])
        }
    }

    @Test("with a line that is none says which, and one that isn't a manifest is taken for none")
    func strange() throws {
        let url = URL(fileURLWithPath: fixture.paths.manifest)
        let text = try String(contentsOf: url, encoding: .utf8)
        try (text + "made nothing\n").write(to: url, atomically: true, encoding: .utf8)
        #expect(try findings(fixture).count == 1)
        try "hello\n".write(to: url, atomically: true, encoding: .utf8)
        #expect(try findings(fixture).first?.hasPrefix("archive/manifest is no manifest") == true)
        let fault = #expect(throws: DataDirectoryError.self) { try fixture.directory() }
        #expect(fault?.description.contains("move it away, and the next start makes one") == true)
    }

    @Test("reads back every line that it writes")
    func lines() throws {
        let name = SegmentName(
            kind: .rejected, node: try #require(NodeName("a-b")), sequence: 12_345_678_901,
            day: try #require(UTCDay("0001-02-03")))
        let lines: [ManifestLine] = [
            .node(name.node), .made(name), .closed(name, lines: 0, bytes: 1 << 40), .removed(name, lines: 7),
            .lost(.plays, 3...9), .before(.plays, 4, isPruned: true), .before(.rejected, 4, isPruned: false),
        ]
        for line in lines { #expect(ManifestLine(line.description) == line) }
        for text in ["", "made", "made archive/x", "closed \(name.label) 1", "lost archive 9 3", "node a b", "node ä"] {
            #expect(ManifestLine(text) == nil)
        }
    }

    @Test("never has a file too few or too many, whichever of its calls fails, and whether the process dies then")
    func faults() throws {
        for call in [ScriptedDisk.Call.write, .syncData, .sync, .truncate] {
            for number in 1...6 {
                for failure in [ScriptedDisk.Failure.error(EIO), .late(EIO), .short(20, then: ENOSPC)] {
                    let fixture = try LogFixture()
                    let disk = ScriptedDisk()
                    try fill(fixture, -1 ... -1)
                    var acknowledged = ["-1"]
                    var configuration = LogFixture.unsynced
                    try {
                        let directory = try fixture.directory(disk.files)
                        let committer = try Committer(directory: directory, configuration: configuration)
                        defer { committer.stop() }
                        disk.fail(call, number, failure)
                        for day in 0..<3 {
                            let text = "\(day)"
                            let lines = LogFixture.play(text, at: LogFixture.noon + Int64(day) * LogFixture.dayMs)
                            if reason({ try committer.commit(lines) }) == nil { acknowledged.append(text) }
                            // As a process that dies here leaves it.
                            let copy = try LogFixture()
                            try FileManager.default.copyItem(atPath: fixture.paths.root, toPath: copy.paths.root)
                            try copy.withCommitter { _ in }
                            #expect(try findings(copy) == [])
                            #expect(try copy.follow().texts == acknowledged)
                        }
                    }()
                    configuration.node = .standard
                    try fixture.withCommitter(configuration) { _ in }
                    #expect(try findings(fixture) == [])
                    #expect(try fixture.follow().texts == acknowledged)
                }
            }
        }
    }
}

extension LogFixture {
    /// Commits each text as a request of its own, so many days after ``noon``.
    fileprivate func commit(_ texts: [String], at day: Int) throws {
        try withCommitter { committer in
            for text in texts { try committer.commit(Self.play(text, at: Self.noon + Int64(day) * Self.dayMs)) }
        }
    }
}
