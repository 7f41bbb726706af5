import Foundation
import Testing
import TestSupport

@Suite("A server's clock", .enabled(if: FakeTime.library != nil, "the Debian package faketime is missing"))
struct ClockTests {
    private let folder: TemporaryFolder
    private var data: String { folder.path("data") }
    private var log: LogFolder { LogFolder(data: data) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func date(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }

    /// Each request's lines lie in one file, whose day is that of their receipt.
    private func expectOneFileABatch() throws {
        var fileOfRequest: [String: String] = [:]
        for file in log.files() {
            for line in try log.lines(of: file) {
                let request = try #require(line["requestId"] as? String)
                #expect(fileOfRequest[request] == nil || fileOfRequest[request] == file)
                fileOfRequest[request] = file
                let receivedAt = try #require(line["receivedAt"] as? Int)
                let day = Date(timeIntervalSince1970: Double(receivedAt) / 1_000).ISO8601Format().prefix(10)
                #expect(file.contains("/day=\(day)/"))
            }
        }
    }

    @Test("at midnight begins the next day's file, with each batch in one file and nothing lost")
    func midnight() throws {
        let clock = try FakeTime(try date("2026-12-31T23:59:58Z"))
        let server = try ServerProcess(data: data, environment: clock.environment)
        let load = PlayLoad(eventsPerBatch: 6)
        let players = load.start(port: server.port, connections: 4)
        try waitUntil("the next day") { log.days().count == 2 }
        let count = load.acknowledged.count
        try waitUntil("plays of the next day") { load.acknowledged.count > count + 100 }
        load.stop()
        #expect(players.wait(timeout: .now() + 30) == .success)
        #expect(load.answers.keys.sorted() == [202])
        try server.waitForFollower()
        #expect(server.stop() == 0)
        #expect(log.days() == ["day=2026-12-31", "day=2027-01-01"])
        #expect(log.files().count == 2)
        try expectOneFileABatch()
        try expectKept(load.acknowledged, in: data, sent: load.sent)
    }

    @Test("stepping back and forth loses nothing, stores nothing twice, and rebuilds the same")
    func steps() throws {
        let clock = try FakeTime(try date("2026-12-10T12:00:00Z"))
        let server = try ServerProcess(data: data, environment: clock.environment)
        let load = PlayLoad(eventsPerBatch: 6)
        let players = load.start(port: server.port, connections: 2)
        let times = ["2026-12-08T12:00:00Z", "2026-12-10T11:59:00Z", "2026-12-25T00:00:00Z", "2026-12-10T12:00:30Z"]
        for time in times {
            let count = load.acknowledged.count
            try waitUntil("plays") { load.acknowledged.count > count + 60 }
            try clock.set(try date(time))
        }
        let count = load.acknowledged.count
        try waitUntil("plays") { load.acknowledged.count > count + 60 }
        load.stop()
        #expect(players.wait(timeout: .now() + 30) == .success)
        #expect(load.answers.keys.sorted() == [202])
        let again = SampleBatch.body(ids: Array(load.acknowledged.prefix(6)))
        #expect(try server.post(again).status == 202)
        try server.waitForFollower()
        #expect(server.stop() == 0)
        #expect(log.days() == ["day=2026-12-08", "day=2026-12-10", "day=2026-12-25"])
        try expectOneFileABatch()
        try expectKept(load.acknowledged, in: data, sent: load.sent)

        let qoe = BuiltProgram("qoe")
        let report = ["report", "--data", data, "--by", "hour,cdnRegion", "--format", "csv"]
        let before = try qoe.run(report)
        #expect(try qoe.run(["rebuild", "--data", data]).status == 0)
        #expect(try qoe.run(report).output == before.output && before.status == 0)
    }

    @Test(
        "that the kernel has no time zones for works all the same",
        .enabled(if: MountedFolder.isPossible, "mounting a small file system needs root"))
    func noTimeZones() throws {
        let hidden = [
            "unshare", "--mount", "sh", "-c", "mount -t tmpfs none /usr/share/zoneinfo && exec \"$0\" \"$@\"",
        ]
        let server = try ServerProcess(data: data, environment: ["TZ": "Europe/Stockholm"], wrapper: hidden)
        let id = SampleBatch.newId()
        #expect(
            try server.post(SampleBatch.body([SampleBatch.event(id, #""endedAt":"2026-11-30T00:00:00+05:45""#)])).status
                == 202)
        try server.waitForFollower()
        #expect(server.stop() == 0)
        try expectKept([id], in: data)
        let words = [BuiltProgram("qoe").path, "report", "--data", data, "--by", "day"]
        let report = try BuiltProgram.run(hidden[0], Array(hidden.dropFirst()) + words)
        #expect(report.status == 0, "\(report.errors)")
    }
}
