import Archive
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A start")
struct RecoveryTests {
    let fixture: LogFixture
    let notices = Notices()
    let file = "day=2026-11-30/plays-main-0000000001.ndjson.gz"
    let second = "day=2026-11-30/plays-main-0000000002.ndjson.gz"

    init() throws {
        fixture = try LogFixture(made: true)
    }

    private var configuration: CommitterConfiguration {
        var configuration = LogFixture.unsynced
        configuration.onNotice = notices.add
        return configuration
    }

    private func damaged() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try fixture.paths.damagedFiles() {
            files[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.paths.damaged + "/" + name)))
        }
        return files
    }

    @Test("keeps exactly the whole members, wherever a crash has cut the file")
    func everyPrefix() throws {
        let members = [["a"], ["b", "c"], ["d"]].map { LogFixture.member($0) }
        let whole = members.flatMap { $0 }
        let ends = members.indices.map { members[...$0].reduce(0) { $0 + $1.count } }
        for length in 0...whole.count {
            let fixture = try LogFixture(made: true)
            try fixture.write(Array(whole[..<length]), file)
            let kept = ends.count { $0 <= length }
            try fixture.commit(["z"])
            let texts = Array(["a", "b", "c", "d"].prefix([0, 1, 3, 4][kept])) + ["z"]
            #expect(try fixture.follow().texts == texts, "cut at \(length)")
            let good = kept == 0 ? [] : Array(whole[..<ends[kept - 1]])
            #expect(try fixture.read(file) == good + LogFixture.member(["z"]), "cut at \(length)")
            #expect(try fixture.paths.damagedFiles() == [])
        }
    }

    @Test("cuts off zeros, and a member that ends in zeros", arguments: [0, 1, 30])
    func zeroTail(kept: Int) throws {
        let good = LogFixture.member(["a", "b"])
        let next = LogFixture.member((0..<50).map { "play \($0)" })
        let tail = Array(next[..<kept]) + [UInt8](repeating: 0, count: 10_000)
        try fixture.write(good + tail, file)
        try fixture.withCommitter(configuration) { _ in }
        #expect(try fixture.read(file) == good)
        let range = Int64(good.count)..<Int64(good.count + tail.count)
        #expect(notices.all == [.tailCut(file: "archive/" + file, range: range)])
        #expect(try fixture.paths.damagedFiles() == [])
    }

    @Test("removes files that never got a member, however many there are", arguments: [0, 5])
    func empty(bytes: Int) throws {
        let good = LogFixture.member(["a"])
        try fixture.write(good, file)
        for sequence in 2...4 {
            let torn = LogFixture.member(["b"])[..<bytes]
            try fixture.write(Array(torn), "day=2026-11-30/plays-main-000000000\(sequence).ndjson.gz")
        }
        try fixture.commit(["c"], configuration)
        #expect(try fixture.files() == [file])
        #expect(try fixture.follow().texts == ["a", "c"])
        #expect(notices.all.count == (bytes == 0 ? 3 : 3))
    }

    @Test("sets a bad member aside, and moves what is good after it to the next file")
    func damage() throws {
        let members = [["a"], ["b"], ["c", "d"], ["e"]].map { LogFixture.member($0) }
        try fixture.write(members.flatMap { $0 }, file)
        try fixture.alter(file) { $0[members[0].count + 12] ^= 1 }
        let bad = try fixture.read(file)[members[0].count..<members[0].count + members[1].count]
        try fixture.commit(["f"], configuration)
        #expect(try fixture.read(file) == members[0])
        #expect(try fixture.read(second) == members[2] + members[3] + LogFixture.member(["f"]))
        let range = Int64(members[0].count)..<Int64(members[0].count + members[1].count)
        let name = "plays-main-0000000001.ndjson.gz.\(range.lowerBound)-\(range.upperBound)"
        #expect(try damaged() == [name: Array(bad)])
        #expect(notices.all == [.damageSetAside(file: "archive/" + file, range: range)])
        #expect(try fixture.zcat() == ["a", "c", "d", "e", "f"])
        #expect(
            try ArchiveVerifier(fixture.paths).verify().findings == [.setAside("damaged/" + name)])
    }

    @Test("lets a follower that stood anywhere in a damaged file go on exactly there")
    func positions() throws {
        let texts = (0..<8).map { "play \($0)" }
        let members = texts.map { LogFixture.member([$0]) }
        let bad: Set = [2, 3, 5]
        try fixture.write(members.flatMap { $0 }, file)
        var offset = 0
        var positions: [LogPosition] = []
        for member in members {
            positions.append(LogPosition(segment: 1, offset: Int64(offset)))
            offset += member.count
        }
        positions.append(LogPosition(segment: 1, offset: Int64(offset)))
        for index in bad { try fixture.alter(file) { $0[Int(positions[index].offset) + 15] ^= 4 } }
        try fixture.commit(["new"])
        #expect(try damaged().count == 2)
        for (index, position) in positions.enumerated() {
            let rest = texts.indices.filter { $0 >= index && !bad.contains($0) }.map { texts[$0] }
            #expect(try fixture.follow(from: position).texts == rest + ["new"], "from \(index)")
            // Beside the writer a follower reads up to a place that it is told.
            try fixture.withCommitter { committer in
                let reader = LogReader(directory: fixture.paths.archive)
                let content = try LogFixture.follow(
                    reader, from: position, upTo: committer.end(of: .plays), maxBytes: 1)
                #expect(content.texts == rest + ["new"], "from \(index)")
            }
        }
        #expect(try fixture.follow(from: positions[8]).end.segment == 2)
    }

    @Test("follows a place through one damaged file after another")
    func chain() throws {
        let members = (0..<6).map { LogFixture.member(["play \($0)"]) }
        try fixture.write(members.flatMap { $0 }, file)
        try fixture.alter(file) { $0[members[0].count + 15] ^= 4 }
        try fixture.withCommitter { _ in }
        try fixture.alter(second) { $0[members[2].count + 15] ^= 4 }
        try fixture.commit(["new"])
        #expect(try fixture.files().count == 3)
        let length = members[0].count
        for (index, rest) in [(0, [0, 2, 4, 5]), (1, [2, 4, 5]), (3, [4, 5]), (4, [4, 5]), (5, [5]), (6, [])] {
            let position = LogPosition(segment: 1, offset: Int64(index * length))
            #expect(try fixture.follow(from: position).texts == rest.map { "play \($0)" } + ["new"], "from \(index)")
        }
    }

    @Test("sets a bad last member aside, and never writes to that file again")
    func badEnd() throws {
        let members = [["a"], ["b"]].map { LogFixture.member($0) }
        try fixture.write(members.flatMap { $0 }, file)
        try fixture.alter(file) { $0[members[0].count + 14] ^= 1 }
        let end = LogPosition(segment: 1, offset: Int64(members.reduce(0) { $0 + $1.count }))
        try fixture.withCommitter(configuration) { _ in }
        #expect(try fixture.files() == [file])
        #expect(try fixture.follow(from: end).texts == [])
        try fixture.commit(["c"])
        #expect(try fixture.files() == [file, second])
        #expect(try fixture.follow(from: end).texts == ["c"])
        #expect(try fixture.follow().texts == ["a", "c"])
        #expect(try damaged().count == 1)
    }

    @Test("notes what it has left of a damaged file, also when a crash came between the cut and its line")
    func cutThatWasNotNoted() throws {
        let members = [["a"], ["b"], ["c"]].map { LogFixture.member($0) }
        // Closed in good order, and damaged after that.
        try fixture.commit(["a", "b", "c"])
        try fixture.alter(file) { $0[members[0].count + 14] ^= 1 }
        let manifest = try Data(contentsOf: URL(fileURLWithPath: fixture.paths.manifest))
        try fixture.withCommitter(configuration) { _ in }
        let name = try #require(try fixture.paths.damagedFiles().first)
        #expect(try ArchiveVerifier(fixture.paths).verify().findings == [.setAside("damaged/" + name)])
        // The crash: the file is cut, and the manifest has nothing of it.
        try manifest.write(to: URL(fileURLWithPath: fixture.paths.manifest))
        try fixture.commit(["d"])
        #expect(try fixture.follow().texts == ["a", "c", "d"])
        #expect(try ArchiveVerifier(fixture.paths).verify().findings == [.setAside("damaged/" + name)])
    }

    @Test("begins on a full disk though the manifest doesn't know its server yet, and tells it before the first file")
    func fullDisk() throws {
        var configuration = configuration
        configuration.node = try #require(NodeName("other"))
        let disk = ScriptedDisk()
        let directory = try fixture.directory(disk.files)
        disk.failAlways(.write, ENOSPC)
        let committer = try Committer(directory: directory, configuration: configuration)
        defer { committer.stop() }
        disk.failAlways(.write, nil)
        #expect(!directory.manifest.manifest.nodes.contains(configuration.node))
        try committer.commit(LogFixture.play("a"))
        #expect(directory.manifest.manifest.nodes.contains(configuration.node))
        #expect(try Inventory(fixture.paths).findings == [])
    }

    @Test("takes no number again that a file had whose only member was bad")
    func onlyMemberBad() throws {
        try fixture.write(LogFixture.member(["a"]), file)
        let end = LogPosition(segment: 1, offset: Int64(LogFixture.member(["a"]).count))
        try fixture.alter(file) { $0[12] ^= 1 }
        try fixture.commit(["b"])
        #expect(try fixture.files() == [second])
        #expect(try fixture.follow(from: end).texts == ["b"])
        #expect(try damaged().count == 1)
        #expect(try ArchiveVerifier(fixture.paths).verify().findings.count == 1)
    }

    @Test("mends damage to the end whatever step the disk fails at, and whenever it is tried again")
    func interrupted() throws {
        let members = (0..<5).map { LogFixture.member(["play \($0)"]) }
        let calls: [ScriptedDisk.Call] = [.write, .sync, .truncate]
        for first in [0, 1] {
            for call in calls {
                for number in 1...8 {
                    let fixture = try LogFixture(made: true)
                    try fixture.write(members.flatMap { $0 }, file)
                    try fixture.alter(file) { $0[first * members[0].count + 15] ^= 4 }
                    try fixture.alter(file) { $0[3 * members[0].count + 15] ^= 4 }
                    let disk = ScriptedDisk()
                    var configuration = LogFixture.unsynced
                    configuration.files = disk.files
                    disk.fail(call, number, .error(EIO))
                    _ = try? fixture.withCommitter(configuration) { _ in }
                    let follower = LogPosition(segment: 1, offset: Int64(3 * members[0].count))
                    try fixture.commit(["new"])
                    let rest = [0, 1, 2, 4].filter { $0 != first }.map { "play \($0)" } + ["new"]
                    let step = "\(call) \(number), first \(first)"
                    #expect(try fixture.follow() == fixture.follow(maxBytes: 1))
                    #expect(try fixture.follow().texts == rest, "\(step)")
                    #expect(try fixture.follow().damage == [], "\(step)")
                    #expect(try fixture.follow(from: follower).texts == ["play 4", "new"], "\(step)")
                    #expect(try fixture.inflated() == rest, "\(step)")
                    #expect(try fixture.paths.damagedFiles().count == 2, "\(step)")
                }
            }
        }
    }

    @Test("reads only the end of a long file")
    func longFile() throws {
        let texts = (0..<400).map { "play \($0) " + String(repeating: "x", count: 200) }
        let members = texts.map { LogFixture.member([$0]) }
        try fixture.write(members.flatMap { $0 }, file)
        try fixture.alter(file) { $0[members[0].count + 20] ^= 1 }
        var configuration = configuration
        configuration.recoveryBytes = 5_000
        try fixture.commit(["new"], configuration)
        // What lies before is for those who read the log: they pass it over.
        #expect(try fixture.files() == [file])
        let content = try fixture.follow()
        #expect(content.texts == texts[..<1] + texts[2...] + ["new"])
        #expect(content.damage.count == 1)
        // Damage near the end is found, also where the search for a beginning meets it first.
        var offsets = [0]
        for member in members { offsets.append(offsets[offsets.count - 1] + member.count) }
        let size = try fixture.read(file).count
        let met = try #require(offsets.firstIndex { $0 >= size - 5_000 })
        try fixture.alter(file) { $0[offsets[met] + 20] ^= 1 }
        try fixture.withCommitter(configuration) { _ in }
        #expect(try fixture.files() == [file, second])
        #expect(try fixture.follow().texts == texts.indices.filter { $0 != 1 && $0 != met }.map { texts[$0] } + ["new"])
    }

    @Test("leaves alone the files of a restored backup, though an old damage has their names")
    func restored() throws {
        let members = (0..<5).map { LogFixture.member(["play \($0)"]) }
        try fixture.write(members.flatMap { $0 }, file)
        try fixture.write(LogFixture.member(["other"]), second)
        let name = "plays-main-0000000001.ndjson.gz.\(members[0].count)-\(2 * members[0].count)"
        try Data(members[1]).write(to: URL(fileURLWithPath: fixture.paths.damaged + "/" + name))
        try fixture.withCommitter { _ in }
        #expect(try fixture.follow().texts == (0..<5).map { "play \($0)" } + ["other"])
    }

    @Test("writes nothing before the place that a store has read up to")
    func followedTo() throws {
        try fixture.commit(["a"])
        let end = try fixture.follow().end
        var configuration = LogFixture.unsynced
        configuration.followedTo = end
        try fixture.commit(["b"], configuration)
        #expect(try fixture.files() == [file])
        configuration.followedTo = LogPosition(segment: 1, offset: 100_000)
        try fixture.commit(["c"], configuration)
        #expect(try fixture.files() == [file, second])
        #expect(try fixture.follow(from: configuration.followedTo).texts == ["c"])
        configuration.followedTo = LogPosition(segment: 7, offset: 100)
        try fixture.commit(["d"], configuration)
        #expect(try fixture.follow(from: configuration.followedTo).texts == ["d"])
        #expect(try fixture.follow().texts == ["a", "b", "c", "d"])
        #expect(try fixture.files().last == "day=2026-11-30/plays-main-0000000008.ndjson.gz")
        // The quarantine has places of its own, and what no file can be called is no place.
        configuration.quarantineFollowedTo = LogPosition(segment: 3, offset: 1)
        configuration.followedTo = LogPosition(segment: .max, offset: .max)
        try fixture.withCommitter(configuration) { try $0.commit(LogFixture.rejection("x")) }
        #expect(try fixture.files(.rejected) == ["day=2026-11-30/rejected-main-0000000004.ndjson.gz"])
        try fixture.commit(["e"], configuration)
        #expect(try fixture.files().count == 3)
    }

    @Test("is not thrown by names in damaged/ that nobody wrote")
    func foreignNames() throws {
        try fixture.write(LogFixture.member(["a"]), file)
        for range in ["1-9223372036854775807", "0-9223372036854775807", "2-9223372036854775807", "9-3", "x-1", "-1-5"] {
            let path = fixture.paths.damaged + "/plays-main-0000000001.ndjson.gz." + range
            try Data([1]).write(to: URL(fileURLWithPath: path))
        }
        for offset: Int64 in [0, 1, 1_000, .max] {
            _ = try fixture.follow(from: LogPosition(segment: 1, offset: offset))
        }
        try fixture.commit(["b"])
        #expect(try fixture.follow().texts == ["a", "b"])
    }

    @Test("mends both logs")
    func rejected() throws {
        try fixture.withCommitter { committer in
            try committer.commit(LogFixture.rejection("x"))
            try committer.commit(LogFixture.rejection("y"))
        }
        let file = try fixture.files(.rejected)[0]
        try fixture.alter(file, .rejected) { $0.removeLast(3) }
        try fixture.withCommitter(configuration) { try $0.commit(LogFixture.rejection("z")) }
        #expect(try fixture.follow(.rejected).texts == ["x", "z"])
        #expect(notices.all.count == 1)
    }

    @Test("never loses a member but those that were changed, whichever bytes are")
    func randomFlips() throws {
        var random = SeededGenerator(seed: 32)
        let texts = (0..<12).map { "play \($0)" }
        let members = texts.map { LogFixture.member([$0]) }
        var starts = [0]
        for member in members { starts.append(starts[starts.count - 1] + member.count) }
        for _ in 0..<100 {
            let fixture = try LogFixture(made: true)
            var bytes = members.flatMap { $0 }
            var hit: Set<Int> = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] ^= UInt8.random(in: 1...255, using: &random)
                hit.insert(starts.lastIndex { $0 <= index } ?? 0)
            }
            try fixture.write(bytes, file)
            let before = try fixture.follow().texts
            try fixture.commit(["new"])
            let content = try fixture.follow()
            let whole = texts.indices.filter { !hit.contains($0) }.map { texts[$0] } + ["new"]
            // A changed time or system in a head leaves the lines as they were.
            #expect(content.texts.filter { whole.contains($0) } == whole)
            #expect(Set(content.texts).isSubset(of: Set(texts + ["new"])))
            #expect(before.allSatisfy { texts.contains($0) })
            #expect(try fixture.inflated() == content.texts)
        }
    }
}
