import Foundation
import TestSupport
import Testing

@Suite("An app that is killed", .timeLimit(.minutes(5)))
struct KilledAppTests {
    private let folder: TemporaryFolder
    private let data: String

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path("data")
    }

    /// One run of the app.
    private final class App {
        private let process = Process()
        private let output: FileHandle

        init(_ server: ServerProcess, _ folder: String, spool: Bool, _ steps: [String]) throws {
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: BuiltProgram("sending-app").path)
            process.arguments =
                ["http://127.0.0.1:\(server.port)\(ServerProcess.eventsPath)", folder, spool ? "on" : "off"] + steps
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            output = pipe.fileHandleForReading
            try process.runWithSignals()
        }

        deinit { if process.isRunning { kill() } }

        /// Waits until the app has said a word.
        func untilSaid(_ word: String) throws {
            var text = ""
            while !text.contains("\(word)\n") {
                let data = output.availableData
                guard !data.isEmpty else { throw WaitedInVain("the app to say \(word)") }
                text += String(decoding: data, as: UTF8.self)
            }
        }

        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        func untilEnd() throws {
            _ = try output.readToEnd()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw WaitedInVain("the app to end well") }
        }
    }

    /// The line of all plays in the report on delivery.
    private func delivery() throws -> [String: String] {
        let report = try BuiltProgram("qoe").run(["report", "--data", data, "--metric", "delivery", "--format", "csv"])
        let lines = report.output.split(whereSeparator: \.isNewline).map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let all = try #require(lines.first { $0.contains("(all)") }, "\(report.output)\(report.errors)")
        return Dictionary(zip(lines[0], all), uniquingKeysWith: { first, _ in first })
    }

    @Test(
        "is seen in the report: its unsent plays as lost without a spool, and none lost with one",
        arguments: [false, true])
    func report(spool: Bool) throws {
        let server = try ServerProcess(data: data)
        let app = folder.path("app")
        let first = try App(server, app, spool: spool, ["record:10", "flush", "record:40", "say:recorded", "wait"])
        try first.untilSaid("recorded")
        first.kill()
        try App(server, app, spool: spool, ["record:1", "send"]).untilEnd()
        try server.waitForFollower()
        let row = try delivery()
        #expect(row["made"] == "51" && row["arrived"] == (spool ? "51" : "11"), "\(row)")
        #expect(row["lost"] == (spool ? "0" : "40") && row["dropped"] == "0" && row["senders"] == "2", "\(row)")
        let stored = try StoredPlays(data: data).counts()
        #expect(stored.count == (spool ? 51 : 11) && stored.values.allSatisfy { $0 == 1 })
    }

    @Test("with a spool loses no play and doubles none, at fifty random instants of two runs")
    func instants() throws {
        let server = try ServerProcess(data: data)
        var random = SeededGenerator(seed: 50)
        for round in 0..<50 {
            let app = folder.path("app\(round)")
            let first = try App(
                server, app, spool: true,
                ["record:10", "flush", "record:40", "say:recorded", "send", "say:done", "wait"])
            try first.untilSaid("recorded")
            usleep(UInt32.random(in: 0..<40_000, using: &random))
            first.kill()
            let second = try App(server, app, spool: true, ["say:begun", "send", "wait"])
            try second.untilSaid("begun")
            usleep(UInt32.random(in: 0..<40_000, using: &random))
            second.kill()
            try App(server, app, spool: true, ["record:1", "send"]).untilEnd()
        }
        try server.waitForFollower()
        let row = try delivery()
        #expect(row["made"] == "2550" && row["arrived"] == "2550" && row["lost"] == "0", "\(row)")
        let stored = try StoredPlays(data: data).counts()
        #expect(stored.count == 2_550 && stored.values.allSatisfy { $0 == 1 })
    }

    @Test("leaves files that cost only themselves when they are half written, and none once metrics are off")
    func torn() throws {
        let server = try ServerProcess(data: data)
        let app = folder.path("app")
        let first = try App(server, app, spool: true, ["record:50", "say:recorded", "wait"])
        try first.untilSaid("recorded")
        first.kill()
        let names = try FileManager.default.contentsOfDirectory(atPath: app)
        #expect(names.count == 2)
        for name in names {
            let handle = try #require(FileHandle(forUpdatingAtPath: app + "/" + name))
            try handle.truncate(atOffset: name.hasSuffix(".spool") ? 5_000 : 20)
            try handle.close()
        }
        try App(server, app, spool: true, ["record:1", "send"]).untilEnd()
        try server.waitForFollower()
        // The sender report is gone; what could be read of the spool has arrived without one.
        let row = try delivery()
        #expect(row["made"] == "1" && row["lost"] == "0", "\(row)")
        let stored = try StoredPlays(data: data).counts()
        #expect((2..<51).contains(stored.count) && stored.values.allSatisfy { $0 == 1 })

        let second = try App(server, app, spool: true, ["record:5", "say:recorded", "wait"])
        try second.untilSaid("recorded")
        second.kill()
        #expect(try FileManager.default.contentsOfDirectory(atPath: app).count == 2)
        try App(server, app, spool: true, ["record:5", "off"]).untilEnd()
        #expect(try FileManager.default.contentsOfDirectory(atPath: app) == [])
    }
}
