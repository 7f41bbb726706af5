import Foundation
import PlaybackMetricsClient
import Testing
import TestSupport

@Suite("The client library against a server", .timeLimit(.minutes(5)))
struct ClientAgainstServerTests {
    private let folder: TemporaryFolder
    private let data: String

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
    }

    /// A server on a port that no connection takes while it is down: below those that the system gives out.
    private func server(options: [String] = []) throws -> ServerProcess {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let port = Int.random(in: 20_000..<30_000, using: &random)
            if let server = try? ServerProcess(data: data, port: port, options: options) { return server }
        }
        return try ServerProcess(data: data, options: options)
    }

    /// Lets the database catch up, ends the server, and compares.
    private func expectOnce(
        _ server: ServerProcess, _ devices: [SendingDevice], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try server.waitForFollower()
        #expect(server.stop() == 0, sourceLocation: sourceLocation)
        let stored = try StoredPlays(data: data)
        #expect(try stored.integrity() == "ok", sourceLocation: sourceLocation)
        let plays = try stored.figures()
        let byId = Dictionary(grouping: plays, by: \.playId)
        #expect(byId.count == plays.count, "plays are stored twice", sourceLocation: sourceLocation)
        for device in devices {
            let stats = device.sender.stats
            #expect(stats.delivered == stats.recorded, "\(stats)", sourceLocation: sourceLocation)
            let wrong = device.summaries.flatMap { summary in
                byId[summary.playId]?.first?.differences(from: PlayFigures(summary)) ?? ["\(summary.playId) is missing"]
            }
            #expect(wrong.prefix(3) == [], "\(wrong.count) in all", sourceLocation: sourceLocation)
        }
        let made = devices.map { $0.summaries.count }.reduce(0, +)
        #expect(plays.count == made, sourceLocation: sourceLocation)
    }

    @Test(
        "stores every play once, with the meter's figures, though the server is killed in the middle of batches, refuses for a while and has a slow disk"
    )
    func killed() async throws {
        var server = try server()
        let port = server.port
        let log = LogFolder(data: data)
        // Seconds instead of minutes, since the ages of plays go by the same clock as the server's.
        var hasty = SenderConfiguration()
        hasty.flushInterval = .seconds(1)
        hasty.backoffBase = .milliseconds(100)
        hasty.backoffLimit = .milliseconds(400)
        hasty.retryAfterLimit = .milliseconds(200)
        let devices = try (1...3).map { try SendingDevice(port: port, seed: $0, configuration: hasty) }
        for device in devices { device.sender.start() }

        for round in 0..<6 {
            // A batch that is on the disk, or on its way there, for a third of a second before anybody is told.
            let side = round.isMultiple(of: 2) ? "delay_exit" : "delay_enter"
            if round > 0 {
                let slow = Strace.wrapper("fdatasync", "\(side)=300000")
                server = try ServerProcess(data: data, port: port, wrapper: slow)
            }
            let bytes = log.bytes
            for device in devices { device.play(40) }
            try await untilTrue("bytes of a batch") { log.bytes > bytes }
            server.kill()
        }

        // Then one that can't write, and says so.
        server = try ServerProcess(data: data, port: port, wrapper: Strace.wrapper("fdatasync", "error=EIO"))
        for device in devices { device.play(40) }
        try await untilTrue("each device to be told to come back") {
            devices.allSatisfy { $0.sender.stats.lastStatus == 503 }
        }
        server.kill()

        server = try ServerProcess(data: data, port: port)
        for device in devices {
            try await device.untilSent()
            await device.sender.stop()
        }

        try expectOnce(server, devices)
        let sums = "SELECT sum(duplicates) AS duplicates, sum(conflicts) AS conflicts FROM repeats"
        let repeats = try #require(try StoredPlays(data: data).rows(sums).first)
        #expect(repeats["duplicates"] ?? "0" != "0", "no batch was killed between the disk and its answer")
        #expect(repeats["conflicts"] == "0")
    }

    @Test("rejects nothing that the library's types let through, however long or large")
    func anything() async throws {
        let server = try server()
        let device = try SendingDevice(port: server.port, seed: 7)
        for _ in 0..<4 {
            device.playAnything(500)
            await device.sender.flush()
        }
        #expect(device.sender.stats.dropped == 0, "\(device.sender.stats)")
        try expectOnce(server, [device])
    }

    @Test("brings labels of 128 bytes in any script into a report, as groups and for filters")
    func labels() async throws {
        let server = try server()
        let device = try SendingDevice(port: server.port, seed: 17)
        let texts = [
            String(repeating: "r", count: 128), String(repeating: "é", count: 64),
            String(repeating: "東京", count: 21) + "!!", "eu west “2”",
        ]
        for (number, text) in texts.enumerated() {
            var context = PlaybackContext()
            let label = try #require(PlaybackLabel(text))
            for field in [\PlaybackContext.cdn, \.cdnRegion, \.appVersion, \.osVersion, \.deviceModel, \.player] {
                context[keyPath: field] = label
            }
            context.tags["arm"] = label
            for _ in 0...number {
                let id = TimeOrderedIDs.shared.makeID()
                device.record(PlaybackSummary(videoId: "v1", playId: id, context: context))
            }
        }
        await device.sender.flush()
        try expectOnce(server, [device])
        let counts = Dictionary(uniqueKeysWithValues: texts.enumerated().map { ($1, $0 + 1) })
        for (dimension, column) in [("cdnRegion", "cdn_region"), ("player", "player"), ("tag:arm", "tag_arm")] {
            #expect(try plays(by: dimension, column) == counts.merging(["(all)": 10]) { $1 })
            #expect(try plays(by: dimension, column, where: "\(dimension)=\(texts[2])") == [texts[2]: 3, "(all)": 3])
        }
    }

    /// Plays by the values of a dimension, as a report has them.
    private func plays(by dimension: String, _ column: String, where filter: String? = nil) throws -> [String: Int] {
        let words = ["report", "--data", data, "--by", dimension, "--metric", "summary", "--format", "json"]
        let report = try BuiltProgram("qoe").run(words + (filter.map { ["--where", $0] } ?? []))
        #expect(report.status == 0, "\(report.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any]
        return (json?["rows"] as? [[String: Any]] ?? []).reduce(into: [:]) { plays, row in
            plays[row[column] as? String ?? ""] = row["plays"] as? Int
        }
    }

    @Test("sees ids of version 7 for plays, sessions and the sender, plays in the order in which they closed")
    func ids() async throws {
        let server = try server()
        let device = try SendingDevice(port: server.port, seed: 11)
        for _ in 0..<5 {
            device.play(3)
            // Ids are in order from one millisecond to the next.
            try await Task.sleep(for: .milliseconds(2))
        }
        await device.sender.flush()
        try expectOnce(server, [device])
        let stored = try StoredPlays(data: data)
        let plays = try stored.rows("SELECT play_id AS id FROM plays ORDER BY arrival").compactMap { $0["id"] }
        let others = try stored.rows("SELECT session_id AS id FROM plays UNION SELECT sender_id FROM accounts")
            .compactMap { $0["id"] }
        #expect(plays.count == 15 && others.count == 6)
        let version7 = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for id in plays + others { #expect(id.lowercased().wholeMatch(of: version7) != nil, "\(id)") }
        let times = plays.map { $0.prefix(13) }
        #expect(times == times.sorted())
    }

    @Test("dates plays by their age, whatever the device's clock says", arguments: [-7.0, 0, 20])
    func ages(years: Double) async throws {
        let first = try server()
        let port = first.port
        #expect(first.stop() == 0)
        let device = try SendingDevice(port: port, seed: 13, clockIsOffBy: years * 365 * 86_400)
        let later: [Duration] = [.seconds(28 * 86_400), .seconds(26 * 3_600), .seconds(90), .zero]
        var ended: [ClosedRange<Date>] = []
        for duration in later {
            let before = Date()
            device.play(1)
            ended.append(before...Date())
            device.clock.advance(by: duration)
        }
        // The first attempt fails: the ages are told anew in the second, an hour later.
        await device.sender.flush()
        #expect(device.sender.stats.queued == 4)
        device.clock.advance(by: .seconds(3_600))
        let server = try ServerProcess(data: data, port: port)
        let flushed = Date()
        await device.sender.flush()
        let underWay = Date().timeIntervalSince(flushed)
        try expectOnce(server, [device])

        let rows = try StoredPlays(data: data).rows("SELECT ended_at, clock_skewed FROM plays ORDER BY arrival")
        #expect(rows.count == 4)
        for (position, row) in rows.enumerated() {
            let passed = later[position...].reduce(.seconds(3_600), +)
            let expected = ended[position].lowerBound.addingTimeInterval(-Double(passed.components.seconds))
            let latest = ended[position].upperBound.addingTimeInterval(underWay - Double(passed.components.seconds))
            let found = Date(timeIntervalSince1970: (row["ended_at"].flatMap(Double.init) ?? 0) / 1_000)
            // Both sides cut to whole milliseconds.
            #expect(found > expected.addingTimeInterval(-0.01) && found < latest.addingTimeInterval(0.01))
            #expect(row["clock_skewed"] == "0")
        }
    }

    @Test(
        "reports what a sender gave up, and nothing lost: plays made are those that arrived, were dropped or rejected")
    func account() async throws {
        let first = try server()
        let port = first.port
        #expect(first.stop() == 0)
        let device = try SendingDevice(port: port, seed: 17)
        device.play(507)
        var wrong = PlaybackSummary(videoId: "v1", playId: TimeOrderedIDs.shared.makeID())
        wrong.watchedMs = -1
        device.record(wrong)
        for _ in 0..<2 {
            device.record(
                PlaybackSummary(videoId: "v1", playId: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))))
        }
        await device.sender.flush()
        #expect(device.sender.stats.lastStatus == nil)
        device.clock.advance(by: .seconds(600))
        let server = try ServerProcess(data: data, port: port)
        await device.sender.flush()
        device.play(1)
        await device.sender.flush()

        let stats = device.sender.stats
        #expect(stats.queued == 0 && stats.recorded == 511)
        #expect(stats.droppedByReason == [.overflow: 10, .unencodable: 1, .rejected: 2], "\(stats)")
        try server.waitForFollower()
        let stored = try StoredPlays(data: data).counts()
        #expect(stored.count == stats.delivered && stored.values.allSatisfy { $0 == 1 })
        let report = try BuiltProgram("qoe").run(["report", "--data", data, "--metric", "delivery", "--format", "csv"])
        let lines = report.output.split(whereSeparator: \.isNewline).map { $0.split(separator: ",") }
        let all = try #require(lines.first { $0.contains("(all)") }, "\(report.output)\(report.errors)")
        let row = Dictionary(uniqueKeysWithValues: zip(lines[0], all))
        #expect(row["made"] == "511" && row["arrived"] == "498", "\(report.output)")
        #expect(row["dropped"] == "11" && row["rejected"] == "2" && row["lost"] == "0", "\(report.output)")
    }

    @Test("lets a sender with a wrong key give up its plays, say so once, and ask for nothing again")
    func wrongKey() async throws {
        let keys = folder.path("keys.txt")
        try "app 0123456789abcdef0123456789abcdef\n".write(toFile: keys, atomically: true, encoding: .utf8)
        let server = try server(options: ["--write-keys", keys])
        let wrong = try SendingDevice(port: server.port, seed: 19, writeKey: "another")
        let right = try SendingDevice(port: server.port, seed: 23, writeKey: "0123456789abcdef0123456789abcdef")
        for device in [wrong, right] {
            device.play(120)
            await device.sender.flush()
        }
        #expect(wrong.sender.stats.droppedByReason == [.refused: 120])
        #expect(wrong.sender.stats.attempts == 2)
        #expect(
            wrong.logged.count == 1 && wrong.logged.allSatisfy { $0.contains("write key") && !$0.contains("another") })
        try expectOnce(server, [right])
    }

    @Test(
        "dates the plays of a process whose wall clock is seven years slow",
        .enabled(if: FakeTime.library != nil, "the Debian package faketime is missing"))
    func slowClock() throws {
        let server = try server()
        let clock = try FakeTime(Date(timeIntervalSinceNow: -7 * 365 * 86_400))
        let start = Int(Date().timeIntervalSince1970 * 1_000)
        let result = try BuiltProgram("qoe-simulate").run(
            ["--to", "http://127.0.0.1:\(server.port)", "--sessions", "3", "--seed", "3"],
            environment: clock.environment)
        #expect(result.status == 0, "\(result.errors)")
        try server.waitForFollower()
        let stored = try StoredPlays(data: data)
        let plays = try stored.rows("SELECT ended_at, clock_skewed FROM plays")
        let times = plays.compactMap { $0["ended_at"].flatMap { Int($0) } }
        #expect(times.count > 20)
        #expect(times.allSatisfy { $0 > start - 2 * 86_400_000 && $0 < start + 600_000 })
        #expect(plays.allSatisfy { $0["clock_skewed"] == "0" })
    }
}
