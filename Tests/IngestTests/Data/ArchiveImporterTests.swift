import Archive
import Foundation
import Ingest
import PlayStore
import PlaybackEvents
import TestSupport
import Testing

@Suite("An import of archives")
struct ArchiveImporterTests {
    private let here: DataFolder
    private let there: DataFolder

    init() throws {
        (here, there) = (try DataFolder(), try DataFolder())
    }

    private static let account = #""sender":{"senderId":"p1","sequence":1,"made":2,"dropped":0,"rejected":0}"#

    private struct Outcome {
        var counts = Importer.Counts()
        var faults: [String] = []
    }

    /// Loads files into the directory that is here.
    private func load(_ paths: [String], times: ClosedRange<Int64> = Importer.anyTime) throws -> Outcome {
        try here.open { keeper in
            var outcome = Outcome()
            let importer = ArchiveImporter(
                paths: keeper.paths, committer: keeper.committer, tombstones: keeper.erased.tombstones, times: times,
                onFault: { outcome.faults.append("\($0.split(separator: "/").last ?? ""):\($1 ?? 0): \($2)") },
                onStop: { outcome.faults.append("\($0.split(separator: "/").last ?? ""): \($1)") })
            let files = try paths.map { try #require(ArchiveFile(ImportSource(path: $0)), "\($0)") }
            try importer.load(files) { _, _ in }
            try keeper.follower.followToEnd()
            outcome.counts = importer.counts
            return outcome
        }
    }

    private func write(_ lines: [String], _ name: String = "lines") throws -> String {
        let path = there.folder.path(name)
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("takes every line as it is, and the same file a second time changes nothing, accounts included")
    func once() throws {
        try there.receive(
            "{\(Self.account),\"events\":[\(event()),\(event(#""playId":"01930000-0000-7000-8000-000000000001""#))]}",
            .number(1))
        try there.receive("{\"events\":[\(event())]}", .number(2))
        let first = try load([there.file(1)])
        #expect(first.faults == [])
        #expect(first.counts.requests == 2 && first.counts.accepted == 3 && first.counts.known == 0)
        #expect(try here.lines() == there.lines())
        let second = try load([there.file(1), there.file(1)])
        #expect(second.counts.accepted == 0 && second.counts.known == 8)
        #expect(try here.lines() == there.lines())
        for view in ["plays ORDER BY play_id", "accounts ORDER BY account"] {
            #expect(try here.rows("SELECT * FROM \(view)") == there.rows("SELECT * FROM \(view)"))
        }
        #expect(try here.rows("SELECT count(*) FROM accounts") == [["1"]])
    }

    @Test("takes the same file named twice once")
    func twice() throws {
        try there.receive("{\(Self.account),\"events\":[\(event()),\(event())]}", .number(1))
        let outcome = try load([there.file(1), there.file(1)])
        #expect(outcome.counts.accepted == 2 && outcome.counts.known == 3)
        #expect(try here.lines() == there.lines())
    }

    @Test("takes what is lacking of a request that is here in part, under the places that its plays have")
    func inPart() throws {
        try there.receive("{\(Self.account),\"events\":[\(event()),\(event()),\(event())]}", .number(1))
        let lines = try there.lines()
        let names = "SELECT play_id FROM plays ORDER BY play_id"
        // The last play alone has to say its place; then the whole file.
        let last = lines[3].dropLast() + #","index":2}"#
        #expect(try load([write([String(last)])]).counts.accepted == 1)
        #expect(try load([write(lines)]).counts.accepted == 2)
        #expect(try here.rows(names) == there.rows(names))
        #expect(try here.lines().count == 4)
        #expect(try load([write(lines)]).counts.known == 4)
    }

    @Test("names a line that is none, and takes the others of its request under their own places")
    func broken() throws {
        try there.receive("{\"events\":[\(event()),\(event()),\(event())]}", .number(1))
        var lines = try there.lines()
        lines[1] = "{}"
        let outcome = try load([write(lines)])
        #expect(outcome.faults == ["lines:2: It lacks receivedAt or requestId. (byte 2)"])
        #expect(outcome.counts.accepted == 2 && outcome.counts.faults == 1)
        #expect(try here.lines().last?.hasSuffix(#","index":2}"#) == true)
        let made = "SELECT play_id FROM plays ORDER BY arrival"
        #expect(try here.rows(made) == [there.rows(made)[0], there.rows(made)[2]])
    }

    @Test("merges files by the time of receipt, so that of a play on two servers the first stands")
    func merge() throws {
        func body(_ watched: Int) -> String {
            #"{"events":[{"playId":"01930000-0000-7000-8000-000000000001","videoId":"v1","stalls":0,"stalledMs":0,"#
                + #""watchedMs":\#(watched)}]}"#
        }
        let other = try DataFolder()
        try there.receive("{\"events\":[\(event())]}", .number(1))
        try there.receive(body(2_000), .number(3, at: DataFolder.morning + 2_000))
        try other.receive(body(1_000), .number(2, at: DataFolder.morning + 1_000))
        try other.receive("{\"events\":[\(event())]}", .number(4, at: DataFolder.morning + DataFolder.day))
        let outcome = try load([there.file(1), other.file(2), other.file(1)])
        #expect(outcome.counts.requests == 4 && outcome.faults == [])
        let watched = "SELECT watched_ms FROM plays WHERE play_id LIKE '01930000%'"
        #expect(try here.rows(watched) == [["1000"]])
        let times = "SELECT received_at FROM plays ORDER BY arrival"
        #expect(
            try here.rows(times).compactMap { Int64($0[0]) }
                == [0, 1_000, DataFolder.day].map { DataFolder.morning + $0 })
    }

    @Test("takes a quarantine, each event once, without what a server has set aside of its own archive")
    func quarantine() throws {
        try there.receive(#"{"events":[{},\#(event())]}"#, .number(1))
        try there.quarantine([
            QuarantineLine(
                receivedAt: DataFolder.morning, requestId: Identifier128(high: 0, low: 0), index: 0,
                code: "unloadable", field: "", raw: [0x7B])
        ])
        let files = try [there.file(1), there.file(1, of: .rejected)]
        #expect(try load(files).counts.rejected == 1)
        #expect(try load(files).counts.known == 2)
        #expect(try here.lines(.rejected) == there.lines(.rejected).filter { !$0.contains("unloadable") })
        #expect(try here.rows("SELECT events FROM rejections") == [["1"]])
    }

    @Test("refuses a log of players' reports, and receipts that are not believed")
    func refused() throws {
        let report = #"{"receivedAt":1795948200000,"requestId":"00000000000000070000000000000001"}"#
        let reports = try load([write([report])])
        #expect(reports.faults.first?.contains("it is a log of players' reports") == true)
        try there.receive("{\"events\":[\(event())]}", .number(1))
        let late = try load([there.file(1)], times: 0...1)
        #expect(late.faults.first?.contains("received on 2026-11-29") == true)
        #expect(late.counts.accepted == 0)
    }

    @Test("leaves files of requests to the other import, which takes no lines of logs among them")
    func requests() throws {
        let body = "{\"events\":[\(event())]}"
        #expect(try ArchiveFile(ImportSource(path: write([body]))) == nil)
        try there.receive(body, .number(1))
        let mixed = try write([body] + there.lines(), "mixed")
        var faults: [String] = []
        try here.open { keeper in
            let importer = Importer(committer: keeper.committer, receivedAt: nil, now: { DataFolder.morning }) {
                faults.append("\($0 ?? 0): \($1)")
            }
            try importer.load(mixed) { _, _ in }
            #expect(importer.counts.accepted == 1)
        }
        #expect(faults == ["2: it is a line of a server's log, which has to be a file of its own"])
    }
}
