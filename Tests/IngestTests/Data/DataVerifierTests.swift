import Archive
import Foundation
import Ingest
import PlaybackEvents
import PlayStore
import SQLite
import Testing

@Suite("Verification of a data directory")
struct DataVerifierTests {
    private let data: DataFolder

    /// Three commits of two days: two plays and a rejected event in each.
    init() throws {
        data = try DataFolder()
        for (number, back) in [1, 0, 0].enumerated() {
            let receipt = Receipt.number(UInt64(number), at: DataFolder.morning - Int64(back) * DataFolder.day)
            try data.receive(#"{"events":[\#(event()),{},\#(event())]}"#, receipt)
        }
    }

    private func verify(sleep: @escaping (Int) -> Void = { _ in }) throws -> DataVerification {
        try DataVerifier(data.paths, patienceMs: 1_000, sleep: sleep).verify()
    }

    @Test("finds nothing wrong where nothing is, and counts what there is")
    func allWell() throws {
        let found = try verify()
        #expect(found.findings == [])
        #expect(found.archive.plays.files == 2 && found.archive.plays.lines == 6)
        #expect(found.archive.rejected.lines == 3)
        #expect(found.store?.totals.loaded == 6)
    }

    @Test("names the file and the bytes of a member that has changed, in either log", arguments: LogKind.followed)
    func changedByte(log: LogKind) throws {
        let file = try data.file(2, of: log)
        let members = try members(of: file)
        try data.edit(file) { $0[members[0].lowerBound + 20] ^= 1 }
        let findings = try verify().findings
        let name = "\(log.folder)/day=2026-11-29/\(log.rawValue)-main-0000000002.ndjson.gz"
        #expect(findings.contains("\(name): bytes \(members[0].lowerBound)–\(members[0].upperBound): bad member"))
        // The database has what the archive has lost.
        #expect(findings.contains { $0.contains("should be") })
    }

    @Test("names the file and the bytes of a torn tail, of zeros and of foreign bytes")
    func badTails() throws {
        let file = try data.file(2)
        let sound = try Data(contentsOf: URL(fileURLWithPath: file))
        let tails: [(Data, String)] = [
            (sound.prefix(30), "torn member"), (Data(count: 100), "zeros"), (Data("hello".utf8), "no gzip"),
        ]
        for (tail, kind) in tails {
            try data.edit(file) { $0 = sound + tail }
            let findings = try verify().findings
            let range = "bytes \(sound.count)–\(sound.count + tail.count): \(kind)"
            #expect(findings == ["archive/day=2026-11-29/plays-main-0000000002.ndjson.gz: \(range)"])
        }
    }

    @Test("finds a file that is gone, one that is empty, and one that does not belong there")
    func files() throws {
        try data.open { keeper in
            try keeper.committer.commit(LogLines(plays: [0x7B, 0x0A], receivedAt: DataFolder.morning + DataFolder.day))
            try keeper.follower.followToEnd()
        }
        try FileManager.default.removeItem(atPath: data.file(2))
        try data.edit(data.file(3)) { $0 = Data() }
        try Data().write(to: URL(fileURLWithPath: data.paths.archive + "/notes.txt"))
        let findings = try verify().findings
        #expect(findings.contains("archive/day=2026-11-29/plays-main-0000000002.ndjson.gz is missing"))
        #expect(findings.contains { $0.hasPrefix("archive/day=2026-11-30/") && $0.contains("empty") })
        #expect(findings.contains("archive/notes.txt: does not belong there"))
    }

    @Test("finds damage that an earlier start has set aside")
    func setAside() throws {
        let file = try data.file(2)
        let members = try members(of: file)
        try data.edit(file) { $0[members[0].lowerBound + 20] ^= 1 }
        try data.open { _ in }
        let range = "\(members[0].lowerBound)-\(members[0].upperBound)"
        let name = "damaged/plays-main-0000000002.ndjson.gz.\(range)"
        #expect(try verify().findings.contains("\(name): damaged bytes that were set aside"))
    }

    @Test("finds a line of the quarantine that is none")
    func strangeLine() throws {
        try data.open { keeper in
            try keeper.committer.commit(LogLines(rejected: [0x7B, 0x7D, 0x0A], receivedAt: DataFolder.morning))
            try keeper.follower.followToEnd()
        }
        #expect(try verify().findings == ["rejected: 1 lines that are none of a quarantine"])
    }

    @Test("finds a play that the database lacks, and a database that is missing or another's")
    func database() throws {
        try SQLiteConnection(path: data.paths.database, mode: .readWrite)
            .execute("DELETE FROM prompt_plays WHERE arrival = 2")
        #expect(try verify().findings.contains { $0.contains("is in the archive, not in the database") })
        try data.edit(data.paths.database) { $0 = Data("no database at all, none, none, none, none, none".utf8) }
        #expect(try verify().findings.count == 1)
        try FileManager.default.removeItem(atPath: data.paths.database)
        let found = try verify()
        #expect(found.store == nil && found.findings.count == 1)
        #expect(found.archive.plays.lines == 6)
    }

    @Test("names ten of a kind at most, counts the others, and tells kinds apart")
    func kinds() throws {
        for number in 0..<13 {
            try Data().write(to: URL(fileURLWithPath: data.paths.archive + "/notes-\(number).txt"))
        }
        try data.edit(data.file(2)) { $0 += Data("hello".utf8) }
        let found = try verify()
        #expect(found.kinds.map(\.name) == ["names that don't belong there", "damaged stretches"])
        #expect(found.kinds.map(\.count) == [13, 1] && found.kinds.map(\.lines.count) == [10, 1])
        #expect(found.findings.count == 12)
        #expect(found.findings[10] == "… and 3 more names that don't belong there")
    }

    @Test("does not call a database wrong that somebody else has locked")
    func lockedDatabase() throws {
        let other = try SQLiteConnection(path: data.paths.database, mode: .readWrite)
        try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        let fault = #expect(throws: SQLiteStoreError.self) { try verify() }
        #expect(fault?.isBusy == true)
        try other.execute("COMMIT")
    }

    @Test("finds that the database has not read to the end, where nobody is about to go on")
    func unread() throws {
        try data.open { keeper in
            try keeper.committer.commit(LogLines(plays: [0x7B, 0x0A], receivedAt: DataFolder.morning))
        }
        let findings = try verify().findings
        #expect(findings.count == 1 && findings[0].hasPrefix("the database lacks the last"))
    }

    @Test("gives a server that has the directory time to load what it has just taken, and no more than that")
    func besideServer() throws {
        try data.open { keeper in
            let lines = try Intake.judge(Array(#"{"events":[\#(event())]}"#.utf8), receipt: .number(9)).lines
            try keeper.committer.commit(lines)
            var waits = 0
            let found = try verify { _ in
                waits += 1
                if waits == 3 { try? keeper.follower.followToEnd() }
            }
            #expect(found.findings == [] && waits == 3)
            #expect(found.store?.totals.loaded == 7)

            try keeper.committer.commit(lines)
            waits = 0
            #expect(try verify { waits += $0 }.unread.count == 1)
            #expect(waits == 1_000)
        }
    }

    /// Where the members of a file lie: each begins with the same ten bytes.
    private func members(of path: String) throws -> [Range<Int>] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var starts: [Int] = []
        var from = bytes.startIndex
        while let found = bytes.range(of: bytes.prefix(10), in: from..<bytes.endIndex) {
            starts.append(found.lowerBound)
            from = found.upperBound
        }
        return zip(starts, starts.dropFirst() + [bytes.count]).map { $0..<$1 }
    }
}
