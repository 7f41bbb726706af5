import Foundation
import Ingest
import PlayStore
import Synchronization
import Testing
import TestSupport

@Suite("An import")
final class ImporterTests {
    private let folder: TemporaryFolder
    private let keeper: DataKeeper

    /// What became of one file.
    private struct Outcome {
        var counts = Importer.Counts()
        /// The plays that the store has got from it.
        var loaded: Int64 = 0
        var faults: [String] = []
        var stopped: ImportError?
    }

    init() throws {
        folder = try TemporaryFolder()
        keeper = try DataKeeper(folder.path("data"), now: { 1_796_000_000_000 })
    }

    deinit {
        keeper.stop()
    }

    private func load(
        _ bytes: Data, from path: String? = nil, times: ClosedRange<Int64> = Importer.anyTime,
        receivedAt: Int64? = 1_796_000_000_000
    ) throws -> Outcome {
        let path = path ?? folder.path("file")
        if !FileManager.default.fileExists(atPath: path) { try bytes.write(to: URL(fileURLWithPath: path)) }
        var outcome = Outcome()
        let importer = Importer(
            committer: keeper.committer, receivedAt: receivedAt, times: times, now: { 1_796_000_000_000 }
        ) { line, reason in
            outcome.faults.append("\(line.map(String.init) ?? "file"): \(reason)")
        }
        let before = keeper.follower.status.totals.loaded
        do {
            try importer.load(path) { _, _ in }
        } catch let fault as ImportError {
            outcome.stopped = fault
        }
        try keeper.follower.followToEnd()
        outcome.counts = importer.counts
        outcome.loaded = keeper.follower.status.totals.loaded - before
        return outcome
    }

    private func load(_ text: String) throws -> Outcome { try load(Data(text.utf8)) }

    private func request(_ video: String) -> String {
        #"{"events": [{"videoId": "\#(video)", "stalls": 0, "stalledMs": 0, "watchedMs": 1000}]}"#
    }

    /// `gzip` of the system.
    private func compressed(_ text: String) throws -> Data {
        try text.write(toFile: folder.path("plain"), atomically: false, encoding: .utf8)
        let result = try BuiltProgram.run("gzip", ["-k", folder.path("plain")])
        try #require(result.status == 0)
        return try Data(contentsOf: URL(fileURLWithPath: folder.path("plain.gz")))
    }

    @Test("takes one body over several lines, and bodies one a line, with either line end")
    func forms() throws {
        let pretty = request("a").replacing(", ", with: ",\r\n  ")
        #expect(try load(pretty).loaded == 1)
        try FileManager.default.removeItem(atPath: folder.path("file"))
        #expect(try load("\(request("b"))\r\n\n\(request("c"))").loaded == 2)
    }

    @Test("skips a byte order mark before a body and before lines")
    func byteOrderMark() throws {
        #expect(try load("\u{FEFF}\(request("a"))\n").loaded == 1)
        try FileManager.default.removeItem(atPath: folder.path("file"))
        let lines = try load("\u{FEFF}{\"receivedAt\": 5, \"body\": \(request("b"))}\n\(request("c"))\n")
        #expect(lines.loaded == 2)
        #expect(lines.faults.isEmpty)
    }

    @Test("tells of a body that is no JSON once, and where it goes wrong")
    func brokenBody() throws {
        let outcome = try load("{\n  \"events\": [\n  {\"videoId\": \"a\",}\n]\n}\n")
        #expect(outcome.faults.count == 1)
        #expect(outcome.faults.first?.hasPrefix("file: invalid_json: ") == true)
        #expect(outcome.faults.first?.contains("at byte 34") == true)
        #expect(outcome.counts.faults == 1)
    }

    @Test("tells of a file that is nothing of the kind once")
    func garbage() throws {
        var generator = SeededGenerator(seed: 3)
        let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(try load(Data([0x00] + bytes)).faults.count == 1)
    }

    @Test("takes the good lines round a bad one, and tells which that was")
    func brokenLine() throws {
        for broken in ["{\"events\": [", "x", #"{"body": {}}"#] {
            let first = try load("\(broken)\n\(request("a"))\n\(request("b"))\n")
            #expect(first.loaded == 2)
            #expect(first.faults.count == 1)
            #expect(first.faults.first?.hasPrefix("1: ") == true)
            try FileManager.default.removeItem(atPath: folder.path("file"))
        }
    }

    @Test("passes over a line that is longer than any body, and goes on after it")
    func longLine() throws {
        let long = String(repeating: "x", count: 9 << 20)
        let outcome = try load("\(request("a"))\n\(long)\n\(request("b"))\n\(long)")
        #expect(outcome.loaded == 2)
        #expect(outcome.faults.map { $0.prefix { $0 != ":" } } == ["2", "4"])
        #expect(outcome.stopped == nil)
    }

    @Test("has loaded what came before the place where a compressed file is torn or damaged")
    func tornFile() throws {
        let lines = (0..<20_000).map { request("video-\($0 &* 7_919 % 20_011)") }.joined(separator: "\n")
        let whole = try compressed(lines)
        let torn = try load(whole.prefix(whole.count / 2))
        #expect(torn.stopped?.description.contains("ends before its end") == true)
        #expect(torn.loaded > 1_000)
        #expect(torn.loaded == Int64(torn.counts.accepted))

        var changed = whole
        for position in whole.count / 2..<whole.count / 2 + 64 { changed[position] = 0xFF }
        try FileManager.default.removeItem(atPath: folder.path("file"))
        let damaged = try load(changed)
        #expect(damaged.stopped?.isUnreadable == false)
        #expect(damaged.stopped?.description.contains("(") == true)
        #expect(damaged.loaded > 1_000)
        #expect(damaged.loaded == Int64(damaged.counts.accepted))
    }

    @Test("knows a compressed file from a pipe, too")
    func pipe() throws {
        let bytes = try compressed(request("a"))
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let writer = Thread {
            let pipe = FileHandle(forWritingAtPath: path)
            // The first byte alone: what a file is must not depend on how much a read gives.
            try? pipe?.write(contentsOf: bytes.prefix(1))
            try? pipe?.write(contentsOf: bytes.dropFirst())
            try? pipe?.close()
        }
        writer.start()
        #expect(try load(Data(), from: path).loaded == 1)
    }

    @Test("refuses a time of receipt that no calendar day has")
    func times() throws {
        let times = ["-1", "253402300800000", "9223372036854775807", "0", "253402300799999"]
        let lines = times.map { "{\"receivedAt\": \($0), \"body\": \(request("a"))}\n" }.joined()
        let outcome = try load(lines)
        #expect(outcome.faults.map { $0.prefix { $0 != ":" } } == ["1", "2", "3"])
        #expect(outcome.loaded == 2)
    }

    @Test("refuses receipts before 2000 and after tomorrow, which are mistakes, unless any time is taken")
    func unlikelyTimes() throws {
        // The first is 2026-11-30T00:53:20Z in seconds, the last a ms after the end of the next day.
        let times: [Int64] = [1_796_000_000, 946_684_799_999, 946_684_800_000, 1_796_169_599_999, 1_796_169_600_000]
        let lines = Data(times.map { "{\"receivedAt\": \($0), \"body\": \(request("a"))}\n" }.joined().utf8)
        let outcome = try load(lines, times: Importer.believedTimes(now: 1_796_000_000_000))
        #expect(
            outcome.faults == [
                "1: received on 1970-01-21: before 2000 (receivedAt is in ms, not in seconds); "
                    + "--any-time takes it all the same",
                "2: received on 1999-12-31: before 2000; --any-time takes it all the same",
                "5: received on 2026-12-02: after tomorrow; --any-time takes it all the same",
            ])
        #expect(outcome.loaded == 2)
        #expect(try load(lines).counts.accepted == 5)
    }

    @Test("goes on to believe receipts of tomorrow when it runs past midnight, as a pipe may")
    func pastMidnight() throws {
        // Of 2026-11-30T23:59:59Z and two seconds later; received at the end of the day after tomorrow.
        let clock = Mutex<Int64>(1_796_083_199_000)
        let text = [1_796_255_999_000, 1_796_255_999_000].map { "{\"receivedAt\": \($0), \"body\": \(request("a"))}\n" }
        let path = folder.path("file")
        try text.joined().write(toFile: path, atomically: true, encoding: .utf8)
        var faults: [Int?] = []
        let importer = Importer(
            committer: keeper.committer, receivedAt: nil,
            times: Importer.believedTimes(now: clock.withLock { $0 }), now: { clock.withLock { $0 } }
        ) { line, _ in
            faults.append(line)
            clock.withLock { $0 += 2_000 }
        }
        try importer.load(path) { _, _ in }
        #expect(faults == [1])
        #expect(importer.counts.accepted == 1)
    }

    @Test("dates bodies by their file, whose own time may be a mistake, too")
    func fileTimes() throws {
        let path = folder.path("file")
        try request("a").write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: path)
        let times = Importer.believedTimes(now: 1_796_000_000_000)
        #expect(
            try load(Data(), times: times, receivedAt: nil).faults == [
                "file: received on 1970-01-01, when its file was last modified: before 2000; "
                    + "--any-time takes it all the same"
            ])
    }

    @Test("takes zeros behind the last member of a compressed file for no damage, and others for damage")
    func zeros() throws {
        let whole = try compressed("\(request("a"))\n\(request("b"))\n")
        for zeros in [1, 512, 600_000] {
            let padded = try load(whole + Data(count: zeros))
            #expect(padded.stopped == nil)
            #expect(padded.loaded == 2)
            try FileManager.default.removeItem(atPath: folder.path("file"))
        }
        let between = try load(whole + Data(count: 600_000) + whole)
        #expect(between.stopped?.description.contains("(zeros with more behind them)") == true)
        #expect(between.loaded == 2)
    }

    @Test("tells of an event by itself what it belongs into")
    func bareEvent() throws {
        let event = #"{"videoId": "a", "stalls": 0, "stalledMs": 0, "watchedMs": 1000}"#
        let advice = #"it is an event by itself: a request has its events in a list, {"events": [EVENT, …]}"#
        for file in [event, "{\n" + event.dropFirst()] {
            #expect(try load(file).faults == ["file: \(advice)"])
            try FileManager.default.removeItem(atPath: folder.path("file"))
        }
        let lines = try load("\(request("b"))\n\(event)\n{\"receivedAt\": 5, \"body\": \(event)}\n{\"a\": 1}\n")
        #expect(lines.faults.prefix(2) == ["2: \(advice)", "3: \(advice)"])
        #expect(lines.faults.count == 3 && !lines.faults[2].contains("by itself"))
        #expect(lines.loaded == 1)
    }
}
