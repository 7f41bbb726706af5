import Foundation
import Testing
import TestSupport

@Suite("An archive with")
struct DamagedArchiveTests {
    private let folder: TemporaryFolder
    private let qoe = BuiltProgram("qoe")
    private var data: String { folder.path("data") }
    private var log: LogFolder { LogFolder(data: data) }
    /// One batch each, in order.
    private var ids: [String] = []

    init() throws {
        folder = try TemporaryFolder()
        let server = try ServerProcess(data: data)
        for _ in 0..<9 {
            let id = SampleBatch.newId()
            #expect(try server.post(SampleBatch.body(ids: [id])).status == 202)
            ids.append(id)
        }
        try server.waitForFollower()
        #expect(server.stop() == 0)
    }

    private func flip(_ file: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[offset] ^= 0x10
        try bytes.write(to: URL(fileURLWithPath: file))
    }

    @Test("a byte flipped in its last file has it reported and set aside at the start, and keeps the rest readable")
    func flippedInLast() throws {
        let file = try #require(log.files().first)
        try flip(file, at: log.size(of: file) / 2)
        let server = try ServerProcess(data: data)
        let entry = try #require(try server.logged().first { $0["event"] == "damage set aside" })
        #expect(entry["file"]?.hasSuffix("plays-main-0000000001.ndjson.gz") == true)
        let from = try #require(entry["from"].flatMap { Int($0) })
        let to = try #require(entry["to"].flatMap { Int($0) })
        #expect((from..<to).contains(log.size(of: file) + (to - from) / 2) || from <= log.size(of: file))
        let aside = try FileManager.default.contentsOfDirectory(atPath: data + "/damaged")
        #expect(aside.count == 1 && LogFolder(data: data).size(of: data + "/damaged/" + aside[0]) == to - from)
        let ready = try server.admin("/readyz")
        #expect(ready.status == 200 && ready.text.contains("set aside"), "\(ready.text)")
        #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
        try server.waitForFollower()
        #expect(server.stop() == 0)

        let left = try log.lines().compactMap { $0["playId"] as? String }
        #expect(left.count == 9 && Set(ids).subtracting(left).count == 1)
        // The play itself is still in the database, which had read it before.
        try expectKept(ids, in: data, sent: 10)
        #expect(try qoe.run(["rebuild", "--data", data]).status == 0)
        try expectKept(left, in: data, sent: 9)
    }

    @Test("a byte flipped in an older file has it named by verify with file and bytes, and by what rebuilds")
    func flippedInOlder() throws {
        // The next day's file makes it an older one.
        let faked = try FakeTime(Date(timeIntervalSinceNow: 86_400))
        let server = try ServerProcess(data: data, environment: faked.environment)
        #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
        #expect(server.stop() == 0)
        #expect(log.files().count == 2)
        try flip(log.files()[0], at: log.size(of: log.files()[0]) / 2)

        let verified = try qoe.run(["verify", "--data", data])
        #expect(verified.status == 1)
        #expect(verified.output.contains("plays-main-0000000001.ndjson.gz: bytes "), "\(verified.output)")
        let rebuilt = try qoe.run(["rebuild", "--data", data])
        #expect(
            rebuilt.status == 65 && rebuilt.errors.contains("plays-main-0000000001.ndjson.gz"),
            "\(rebuilt.status) \(rebuilt.errors)")
        let counts = try StoredPlays(data: data).counts()
        #expect(counts.count == 9 && counts.values.allSatisfy { $0 == 1 })
    }

    @Test("a line that can't be loaded has it in the quarantine with its bytes, and the follower goes on")
    func unloadable() throws {
        let file = try #require(log.files().first)
        let good = try #require(try BuiltProgram.run("zcat", [file]).output.split(separator: "\n").first)
        let next = good.replacingOccurrences(of: ids[0], with: SampleBatch.newId())
        let bad = #"{"videoId":"v1","stalls":-5,"note":"nobody wrote this"}"#
        try (bad + "\n" + next + "\n").write(toFile: folder.path("lines"), atomically: true, encoding: .utf8)
        #expect(try BuiltProgram.run("sh", ["-c", "gzip -c \(folder.path("lines")) >> \(file)"]).status == 0)

        let server = try ServerProcess(data: data)
        try server.waitForFollower()
        #expect(try server.metric("qoe_lines_unloadable_total") == 1)
        #expect(try server.count(logged: "line can't be loaded") == 1)
        #expect(!server.log.contains("nobody wrote this"))
        #expect(try server.post(SampleBatch.body(ids: [SampleBatch.newId()])).status == 202)
        try server.waitForFollower()
        #expect(server.stop() == 0)
        #expect(try StoredPlays(data: data).counts().count == 11)
        let quarantined = try LogFolder(data: data, "rejected").lines()
        #expect(quarantined.count == 1 && quarantined[0]["raw"] as? String == bad)
        #expect(quarantined[0]["code"] as? String == "unloadable")

        // Once, however often it is met again.
        try expectKeptAfterStart(ids, in: data, sent: 11)
        #expect(try LogFolder(data: data, "rejected").lines().count == 1)
    }
}
