import Foundation
import Testing
import TestSupport

@Suite("A server that compacts closed days")
struct ServedCompactionTests {
    private let folder: TemporaryFolder
    private let data: String
    private let qoe = BuiltProgram("qoe")
    private static let requestsOfDay = 60

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
    }

    private var log: LogFolder { LogFolder(data: data) }

    /// Fills the directory with requests of some days in February 2020, each a member of its own: as a server does that is
    /// asked for little.
    ///
    /// - Returns: the plays' ids.
    private func fill(days: Range<Int>, copyAfter part: Int? = nil) throws -> [String] {
        var ids: [String] = []
        for day in days {
            var lines: [String] = []
            for request in 0..<Self.requestsOfDay {
                let own = [SampleBatch.newId(), SampleBatch.newId()]
                ids += own
                let time = 1_580_515_200_000 + day * 86_400_000 + request * 60_000
                lines.append(#"{"receivedAt":\#(time),"body":\#(SampleBatch.body(ids: own))}"#)
            }
            for third in 0..<3 {
                let some = lines[third * 20..<third * 20 + 20]
                try some.joined(separator: "\n").write(toFile: folder.path("lines"), atomically: true, encoding: .utf8)
                try #require(try qoe.run(["load", "--data", data, folder.path("lines")]).status == 0)
                if day == days.lowerBound, third == part { try copyDatabase() }
            }
        }
        return ids
    }

    private func copyDatabase() throws {
        try FileManager.default.copyItem(atPath: data + "/qoe.sqlite", toPath: folder.path("copy.sqlite"))
    }

    private func text() throws -> String {
        let zcat = try BuiltProgram.run("zcat", log.files())
        try #require(zcat.status == 0, "\(zcat.errors)")
        return zcat.output
    }

    private func expectWhole(_ ids: [String], _ when: String) throws {
        let verified = try qoe.run(["verify", "--data", data])
        #expect(verified.status == 0, "\(when): \(verified.output)\(verified.errors)")
        try expectKept(ids, in: data, sent: ids.count)
    }

    @Test("keeps zcat, verify and rebuild as they were, and goes on from a backup of the database taken before")
    func backup() throws {
        let ids = try fill(days: 0..<4, copyAfter: 1)
        let (before, bytes) = (try text(), log.bytes)
        let report = ["report", "--data", data, "--metric", "all", "--format", "csv"]
        let figures = try qoe.run(report).output
        let server = try ServerProcess(data: data)
        try waitUntil("two files to be compacted") { try server.metric("qoe_compacted_files_total") == 2 }
        #expect(try server.count(logged: "file compacted") == 2)
        let saved = try #require(try server.metric("qoe_compacted_saved_bytes_total"))
        #expect(server.stop() == 0)
        #expect(log.bytes == bytes - Int(saved))
        #expect(try text() == before)
        try expectWhole(ids, "compacted")

        // The copy stands in the middle of the first file.
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: data + "/qoe.sqlite" + ending)
        }
        try FileManager.default.copyItem(atPath: folder.path("copy.sqlite"), toPath: data + "/qoe.sqlite")
        try expectKeptAfterStart(ids, in: data, sent: ids.count)
        try expectWhole(ids, "restored")
        #expect(try qoe.run(report).output == figures)
        #expect(try StoredPlays(data: data).rows("SELECT duplicates FROM totals").first?["duplicates"] == "0")
        #expect(try qoe.run(["rebuild", "--data", data]).status == 0)
        try expectWhole(ids, "rebuilt")
        #expect(try qoe.run(report).output == figures)
    }

    @Test(
        "and is killed at any of its calls leaves the old file or the new one, and the next start goes on",
        arguments: ["rename", "fsync", "pwrite64"])
    func killed(call: String) throws {
        let ids = try fill(days: 0..<4)
        let before = try text()
        let original = folder.path("original")
        try FileManager.default.copyItem(atPath: data, toPath: original)
        // Only calls on the first file's successor and its folder count.
        let day = data + "/archive/day=2020-02-01"
        let paths = ["-P", day, "-P", day + "/.plays-main-0000000001.ndjson.gz.compacting"]
        var kills = 0
        for number in 1...12 {
            try FileManager.default.removeItem(atPath: data)
            try FileManager.default.copyItem(atPath: original, toPath: data)
            let wrapper = Strace.wrapper(call, "signal=KILL:when=\(number)") + paths
            // One that is killed at once never listens.
            let server = try? ServerProcess(data: data, wrapper: wrapper)
            if let server {
                try waitUntil("an end") {
                    let compacted = try? server.metric("qoe_compacted_files_total")
                    return !server.isRunning || compacted == 2
                }
                if server.isRunning {
                    _ = server.stop()
                    break
                }
            }
            kills += 1
            #expect(try text() == before, "\(call) \(number)")
            let next = try ServerProcess(data: data)
            try waitUntil("the rest to be compacted") {
                hidden() == [] && sizesAreSmall()
            }
            #expect(next.stop() == 0)
            #expect(try text() == before, "\(call) \(number)")
            try expectWhole(ids, "\(call) \(number)")
        }
        #expect(kills > 0)
    }

    private func hidden() -> [String] {
        let names = FileManager.default.enumerator(atPath: data + "/archive")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".compacting") }
    }

    /// The first two files are smaller than the last.
    private func sizesAreSmall() -> Bool {
        let sizes = log.files().map { log.size(of: $0) }
        return sizes.count == 4 && sizes[0] < sizes[3] && sizes[1] < sizes[3]
    }

    @Test("and removes old ones under load serves every request, and keeps every play of days that stay")
    func retention() throws {
        let old = try fill(days: 0..<4)
        let load = PlayLoad(eventsPerBatch: 3)
        let server = try ServerProcess(data: data, options: ["--keep-days", "30", "--keep-archive-days", "30"])
        let players = load.start(port: server.port, connections: 4)
        try waitUntil("old plays to go") { try server.metric("qoe_plays_pruned_total") == Double(old.count) }
        let count = load.acknowledged.count
        try waitUntil("more plays") { load.acknowledged.count > count + 300 }
        load.stop()
        #expect(players.wait(timeout: .now() + 30) == .success)
        #expect(load.answers.keys.sorted() == [202])
        try server.waitForFollower()
        try waitUntil("the rest of old days to go") { try server.count(logged: "old plays removed") == 1 }
        #expect(try server.count(logged: "old files removed") == 1)
        // The log's last file at the start goes with the next look, a minute later.
        #expect(try server.metric("qoe_pruned_files_total") == 3)
        #expect(try server.metric("qoe_database_free_bytes") != nil)
        #expect(server.stop() == 0)
        #expect(log.files().count == 2)
        try expectWhole(load.acknowledged, "pruned")
    }

    @Test("and is killed while it removes old ones under load keeps every acknowledged play once")
    func killedRetention() throws {
        let load = PlayLoad(eventsPerBatch: 3)
        var random = SeededGenerator(seed: 3)
        for round in 0..<6 {
            _ = try fill(days: 4 * round..<4 * round + 4)
            let server = try ServerProcess(data: data, options: ["--keep-days", "30", "--keep-archive-days", "30"])
            let pid = server.pid
            load.run(port: server.port, connections: 4, until: Int.random(in: 1...200, using: &random)) {
                kill(pid, SIGKILL)
            }
            #expect(try server.waitForExit() == SIGKILL)
        }
        let server = try ServerProcess(data: data, options: ["--keep-days", "30", "--keep-archive-days", "30"])
        try waitUntil("old plays to go") { try server.count(logged: "old plays removed") == 1 }
        try server.waitForFollower()
        #expect(server.stop() == 0)
        let verified = try qoe.run(["verify", "--data", data])
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
        try expectKept(load.acknowledged, in: data, sent: load.sent)
    }
}
