import Foundation
import Synchronization
import Testing
import TestSupport

@Suite("A play with a playId is stored once")
struct OnceTests {
    private let folder: TemporaryFolder
    private let id = SampleBatch.newId()
    private var data: String { folder.path("data") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("when it is sent twice in one batch, and the conflict is counted when its figures differ")
    func inOneBatch() throws {
        let server = try ServerProcess(data: data)
        let other = SampleBatch.newId()
        let answer = try server.post(
            SampleBatch.body([
                SampleBatch.event(id), SampleBatch.event(id), SampleBatch.event(other, #""bytes":1"#),
                SampleBatch.event(other, #""bytes":2"#),
            ]))
        #expect(answer.status == 202 && answer.text.contains(#""accepted":4"#))
        try server.waitForFollower()
        let metrics = try server.metrics()
        #expect(metrics["qoe_plays_loaded_total"] == 2)
        #expect(metrics["qoe_plays_duplicate_total"] == 2)
        #expect(metrics["qoe_plays_conflicting_total"] == 1)
        let stored = try StoredPlays(data: data)
        #expect(try stored.counts() == [id: 1, other: 1])
        #expect(try stored.play(other)["bytes"] == "1")
    }

    @Test("when two connections send it at once, again and again")
    func atOnce() throws {
        let server = try ServerProcess(data: data)
        let port = server.port
        let statuses = Mutex<[Int]>([])
        var ids: [String] = []
        for _ in 0..<20 {
            let id = SampleBatch.newId()
            ids.append(id)
            let group = DispatchGroup()
            for _ in 0..<2 {
                Thread.inGroup(group) {
                    let answer = try LoopbackConnection(port: port).post(
                        ServerProcess.eventsPath, Array(SampleBatch.body(ids: [id]).utf8))
                    statuses.withLock { $0.append(answer.status) }
                }
            }
            group.wait()
        }
        #expect(statuses.withLock { $0 } == Array(repeating: 202, count: 40))
        try server.waitForFollower()
        #expect(try server.metric("qoe_plays_duplicate_total") == 20)
        try expectKept(ids, in: data, sent: 20)
    }

    @Test("when it comes again with other figures: the first stands, the conflict is counted")
    func conflict() throws {
        let server = try ServerProcess(data: data)
        #expect(try server.post(SampleBatch.body([SampleBatch.event(id, #""cdn":"fastly""#)])).status == 202)
        #expect(try server.post(SampleBatch.body([SampleBatch.event(id, #""cdn":"akamai""#)])).status == 202)
        // The age is computed anew for each attempt, and makes no conflict.
        #expect(
            try server.post(SampleBatch.body([SampleBatch.event(id, #""cdn":"fastly","ageMs":5"#)])).status == 202)
        try server.waitForFollower()
        #expect(try server.metric("qoe_plays_duplicate_total") == 2)
        #expect(try server.metric("qoe_plays_conflicting_total") == 1)
        #expect(try StoredPlays(data: data).play(id)["cdn"] == "fastly")
    }

    @Test(
        "across kills, restarts, midnight and a rebuild",
        .enabled(if: FakeTime.library != nil, "the Debian package faketime is missing"))
    func everywhere() throws {
        let event = SampleBatch.event(id, #""ageMs":600000"#)
        let clock = try FakeTime(Date(timeIntervalSince1970: 1_796_082_000))
        for (day, ends) in [(0, false), (0, true), (1, false), (2, true), (40, true)] {
            try clock.set(Date(timeIntervalSince1970: 1_796_082_000 + Double(day) * 86_400))
            let server = try ServerProcess(data: data, environment: clock.environment)
            // Each attempt says how long ago the play ended; in the end that is more than is believed.
            let age = day * 86_400_000 + 600_000
            let attempt = event.replacingOccurrences(of: "600000", with: "\(age)")
            #expect(try server.post(SampleBatch.body([attempt])).status == 202)
            if ends { #expect(server.stop() == 0) } else { server.kill() }
        }
        try expectKeptAfterStart([id], in: data, sent: 1)
        #expect(LogFolder(data: data).days().count == 4)
        #expect(try BuiltProgram("qoe").run(["rebuild", "--data", data]).status == 0)
        try expectKept([id], in: data, sent: 1)
    }
}
