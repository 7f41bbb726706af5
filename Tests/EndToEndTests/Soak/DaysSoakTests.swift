import Foundation
import HTTPServing
import Synchronization
import TestSupport
import Testing

/// Days in minutes, for `make soak`: `QOE_SOAK` has to be set.
@Suite(
    "Days of a server, in minutes",
    .enabled(if: ProcessInfo.processInfo.environment["QOE_SOAK"] != nil, "QOE_SOAK is not set"),
    .enabled(if: FakeTime.library != nil, "the Debian package faketime is missing"))
struct DaysSoakTests {
    /// Enough for files to be closed, compacted and removed.
    private static let days = 6

    @Test(
        "with load, kills, old days, exports, alerts and erasures keep every play that is to be kept, once, and no other"
    )
    func days() throws {
        let run = try DaysRun()
        for day in 0..<Self.days { try run.day(day) }
        try run.waitForHousekeeping()
        try run.end()
        try run.expectKept("in the end")
        try run.expectErased("in the end")
        try run.expectAlerts(incidents: Self.days / 2)
        // A day's file is compacted once there are two newer ones.
        #expect(run.compacted >= Self.days - 3, "\(run.compacted) files were compacted")
        #expect(run.log.days().first == "day=" + Date.name(ofDay: run.today - DaysRun.keptArchiveDays))
        try run.expectSameExport()
        try run.expectSameAfterRebuild()
        SoakPlan.report(run.summary)
    }
}

/// What happens in a server's days, hour by hour, and what must be true after them.
private final class DaysRun {
    static let keptDays = 2
    static let keptArchiveDays = 3
    /// How long an hour is, in µs.
    private static let hour: UInt32 = 400_000
    private static let late = 26 * 3_600_000

    private let folder: TemporaryFolder
    private let data: String
    private let clock: MovedClock
    private let load: DayLoad
    private let players: DispatchGroup
    private let receiver = WebhookReceiver()
    private let listener: HTTPServer
    private let qoe = BuiltProgram("qoe")
    private var server: ServerProcess
    private var random = SeededGenerator(seed: 16)
    private let firstDay: Int
    private(set) var compacted = 0
    private var ends: [String: Int] = [:]
    /// Plays of viewers who were erased, by the viewer's session.
    private var erased: [String: [String]] = [:]

    init() throws {
        let start = try Date("2027-03-01T00:00:01Z", strategy: .iso8601)
        firstDay = start.utcDay
        folder = try TemporaryFolder()
        data = folder.path("data")
        clock = try MovedClock(start)
        load = DayLoad(clock)
        listener = try HTTPServer(address: "127.0.0.1", port: 0, handler: receiver)
        try listener.start()
        try "start: startup_p95_ms < 1000 by cdnRegion over 2h\n"
            .write(toFile: folder.path("slo"), atomically: true, encoding: .utf8)
        server = try DaysRun.server(data, folder.path("slo"), listener.port, clock)
        load.aim(at: server.port)
        players = load.start(players: 4)
    }

    deinit {
        load.stop()
        _ = listener.stop()
    }

    private static func server(_ data: String, _ levels: String, _ webhook: UInt16, _ clock: MovedClock) throws
        -> ServerProcess
    {
        try ServerProcess(
            data: data,
            options: [
                "--keep-days", "\(keptDays)", "--keep-archive-days", "\(keptArchiveDays)", "--slo", levels,
            ],
            environment: clock.environment.merging(
                ["QOE_WEBHOOK": "http://127.0.0.1:\(webhook)\(WebhookReceiver.path)"]
            ) { $1 })
    }

    var log: LogFolder { LogFolder(data: data) }
    var today: Int { clock.now.utcDay }

    var summary: String {
        let plays = load.acknowledged.reduce(0) { $0 + $1.ids.count }
        return
            "days: \(ends), \(plays) plays acknowledged, \(erased.values.reduce(0) { $0 + $1.count }) erased, \(compacted) files"
            + " compacted, answers \(load.answers)"
    }

    private func run(_ command: String, _ words: String...) throws -> BuiltProgram.Result {
        try qoe.run([command, "--data", data] + words, environment: clock.environment)
    }

    // MARK: A day

    func day(_ number: Int) throws {
        let viewer = "viewer-of-day-\(number)"
        for hour in 0..<24 {
            if hour > 0 { try clock.move(to: moment(number, hour)) }
            usleep(Self.hour)
            switch hour {
            case 1: try export()
            case 3 where number % 2 == 1: try beginIncident()
            case 8 where number % 2 == 1: try endIncident()
            case 9, 10: try post(4, of: viewer)
            case 12: try erase(viewer, withKill: number % 2 == 0)
            case 13: try post(4, of: viewer)
            case 14: try load.post(count: 5, ageMs: Self.late, to: server.port)
            case 18: try restart(SIGKILL)
            default: break
            }
        }
        // Midnight comes under load, or while nothing runs.
        if number % 2 == 0 {
            try clock.move(to: moment(number, 24))
        } else {
            try restart(SIGTERM) { [self] in try clock.move(to: moment(number, 24)) }
        }
    }

    private func moment(_ day: Int, _ hour: Int) -> Date {
        Date(timeIntervalSince1970: Double((firstDay + day) * 86_400 + hour * 3_600 + 1))
    }

    /// Ends the server and starts the next.
    private func restart(_ signal: Int32, meanwhile work: () throws -> Void = {}) throws {
        usleep(UInt32.random(in: 0...100_000, using: &random))
        server.signal(signal)
        let status = try server.waitForExit()
        #expect(status == (signal == SIGKILL ? SIGKILL : 0), "\(server.log.suffix(500))")
        compacted += try server.count(logged: "file compacted")
        ends[signal == SIGKILL ? "killed" : "stopped", default: 0] += 1
        try work()
        server = try DaysRun.server(data, folder.path("slo"), listener.port, clock)
        load.aim(at: server.port)
    }

    private func export() throws {
        let result = try run("export", "--days", "\(Self.keptDays + 1)", "--output", folder.path("csv"))
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Plays of a viewer who is to be erased, or was.
    private func post(_ count: Int, of viewer: String) throws {
        let ids = (0..<count).map { _ in SampleBatch.newId() }
        erased[viewer, default: []] += ids
        try post(ids, of: viewer)
    }

    private func post(_ ids: [String], of viewer: String) throws {
        let body = SampleBatch.body(ids.map { SampleBatch.event($0, #""sessionId":"\#(viewer)""#) })
        #expect(try server.post(body).status == 202)
    }

    /// Erases a viewer under load, and sends some of the plays once more.
    private func erase(_ viewer: String, withKill: Bool) throws {
        let command = Process()
        command.executableURL = URL(fileURLWithPath: qoe.path)
        command.arguments = ["erase", "--data", data, "--session", viewer]
        command.environment = ProcessInfo.processInfo.environment.merging(clock.environment) { $1 }
        command.standardOutput = FileHandle.nullDevice
        command.standardError = FileHandle.nullDevice
        try command.runWithSignals()
        if withKill {
            usleep(UInt32.random(in: 0...1_200_000, using: &random))
            // The command may find that nobody has the directory any more, and do it itself.
            try restart(SIGKILL) { command.waitUntilExit() }
        }
        command.waitUntilExit()
        let again = try run("erase", "--session", viewer)
        #expect(again.status == 0, "\(again.errors)")
        try post(erased[viewer, default: []], of: viewer)
    }

    // MARK: Alerts

    /// Bad plays of one region, of which the webhook can't be told before the server is killed.
    private func beginIncident() throws {
        receiver.isOpen.store(false, ordering: .relaxed)
        let before = receiver.bodies.withLock { $0.count }
        try load.post(count: 200, #""cdnRegion":"ap-south""#, startupMs: 5_000, to: server.port)
        try server.waitForFollower()
        // Levels are looked at once a minute of the clock that nobody moves, and when they are read again.
        server.signal(SIGHUP)
        try waitUntil("an attempt") { receiver.bodies.withLock { $0.count } > before }
        try restart(SIGKILL) { [receiver] in receiver.isOpen.store(true, ordering: .relaxed) }
        try waitForMessages()
    }

    private func endIncident() throws {
        let before = receiver.bodies.withLock { $0.count }
        try load.post(count: 200, #""cdnRegion":"ap-south""#, to: server.port)
        try server.waitForFollower()
        server.signal(SIGHUP)
        try waitUntil("the end of the incident") { receiver.bodies.withLock { $0.count } > before }
        try waitForMessages()
    }

    private func waitForMessages() throws {
        try waitUntil("the webhook to know all") { try server.metric("qoe_webhook_waiting") == 0 }
    }

    /// Every incident is told of once it fires and once it is over, at least once each and under one key.
    func expectAlerts(incidents: Int) throws {
        struct Message: Decodable, Equatable {
            var key: String
            var state: String
            var since: Int64
        }
        var messages: [Message] = []
        for body in receiver.bodies.withLock({ $0 }) {
            #expect(body.contains(#""group":{"cdn_region": "ap-south"}"#), "\(body)")
            let message = try JSONDecoder().decode(Message.self, from: Data(body.utf8))
            if messages.last != message { messages.append(message) }
        }
        #expect(messages.map(\.state) == Array(repeating: ["firing", "resolved"], count: incidents).flatMap { $0 })
        #expect(Set(messages.map(\.key)).count == 1)
    }

    // MARK: The end

    /// A server that runs looks once a minute for what is too old.
    func waitForHousekeeping() throws {
        try waitUntil("old days to go at a running server's look", seconds: 120) {
            try server.count(logged: "old plays removed") > 0
                && log.days().first == "day=" + Date.name(ofDay: today - Self.keptArchiveDays)
        }
    }

    func end() throws {
        load.stop()
        #expect(players.wait(timeout: .now() + 60) == .success)
        #expect(Set(load.answers.keys).isSubset(of: [202, 503]), "\(load.answers)")
        try server.waitForFollower()
        #expect(server.stop() == 0)
        compacted += try server.count(logged: "file compacted")
    }

    /// Every acknowledged play of a day that stays is stored once, and none of a day that has gone.
    func expectKept(_ when: Comment) throws {
        let counts = try StoredPlays(data: data).counts()
        let first = today - Self.keptDays
        var (lost, old, kept) = (0, 0, 0)
        for sent in load.acknowledged {
            for id in sent.ids {
                let count = counts[id] ?? 0
                kept += count
                if sent.days.lowerBound >= first, count != 1 { lost += 1 }
                if sent.days.upperBound < first, count != 0 { old += 1 }
            }
        }
        #expect(lost == 0 && old == 0, when)
        #expect(kept > 100, when)
        #expect(counts.values.allSatisfy { $0 == 1 }, when)
        let verified = try run("verify")
        #expect(verified.status == 0, "\(when): \(verified.output)")
    }

    /// No file has anything of a viewer who was erased.
    func expectErased(_ when: Comment) throws {
        let counts = try StoredPlays(data: data).counts()
        #expect(erased.values.joined().filter { counts[$0] != nil } == [], when)
        let words = erased.flatMap { [$0.key] + $0.value.prefix(3) + $0.value.suffix(2) }
        #expect(try FolderSearch.files(of: data, with: words) == [], when)
    }

    /// The export of every night is in the end what a new one makes.
    func expectSameExport() throws {
        try export()
        let days = "\(Self.keptDays + 1)"
        let fresh = try run("export", "--days", days, "--output", folder.path("fresh"))
        #expect(fresh.status == 0, "\(fresh.errors)")
        try expectSame("csv", "fresh", except: ["changes.csv", "export-state.json"])
    }

    /// Two folders have the same files.
    private func expectSame(_ one: String, _ other: String, except own: [String] = []) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(other))
        #expect(files.count > 8)
        for file in files.sorted() where !own.contains(file) {
            let texts = try [one, other].map {
                try String(contentsOfFile: folder.path($0) + "/" + file, encoding: .utf8)
            }
            #expect(texts[0] == texts[1], "\(other)/\(file)")
        }
    }

    /// A database that is made anew of the archive, and loses old days again, gives the same reports.
    func expectSameAfterRebuild() throws {
        try report(to: "before")
        #expect(try run("rebuild").status == 0)
        #expect(try run("prune", "--keep-days", "\(Self.keptDays)").status == 0)
        try report(to: "rebuilt")
        try expectSame("before", "rebuilt")
        try expectKept("rebuilt")
        try expectErased("rebuilt")
    }

    /// Every metric of the days that are kept, hour by hour.
    private func report(to output: String) throws {
        let result = try run(
            "report", "--metric", "all", "--by", "hour,cdnRegion", "--format", "csv", "--output", folder.path(output),
            "--from", Date.name(ofDay: today - Self.keptDays), "--to", Date.name(ofDay: today))
        #expect(result.status == 0, "\(result.errors)")
    }
}
