import Foundation
import TestSupport
import Testing

/// A long run, for `make soak`: minutes are given by `QOE_SOAK_MINUTES`, and without it there is none.
@Suite("A soak", .enabled(if: SoakPlan.minutes > 0, "QOE_SOAK_MINUTES names its minutes"), .serialized)
struct SoakTests {
    private let folder: TemporaryFolder
    private var data: String { folder.path("data") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("of load, kills, stops and a slow disk loses no acknowledged play and stores none twice")
    func kills() throws {
        let load = PlayLoad(eventsPerBatch: 6)
        let end = Date(timeIntervalSinceNow: SoakPlan.seconds / 2)
        var random = SeededGenerator(seed: UInt64(Date().timeIntervalSince1970))
        var ends: [String: Int] = [:]
        // At least two hundred kills, and as many more as the time allows.
        while ends["kill", default: 0] < 200 || Date() < end {
            let isSlow = Int.random(in: 0..<8, using: &random) == 0
            let delay = Int.random(in: 1_000...50_000, using: &random)
            let server = try ServerProcess(
                data: data, wrapper: isSlow ? Strace.wrapper("fdatasync", "delay_enter=\(delay)") : [])
            let isStopped = Int.random(in: 0..<5, using: &random) == 0
            let pid = server.pid
            let plays = Int.random(in: 1...(isSlow ? 200 : 1_500), using: &random)
            load.run(port: server.port, connections: Int.random(in: 1...32, using: &random), until: plays) {
                kill(pid, isStopped ? SIGTERM : SIGKILL)
            }
            let status = try server.waitForExit()
            #expect(
                status == (isStopped ? 0 : SIGKILL),
                "\(isStopped ? "stopped" : "killed")\(isSlow ? ", slow disk" : ""): \(status), \(server.log.suffix(500))"
            )
            ends[(isStopped ? "stop" : "kill") + (isSlow ? " slow" : ""), default: 0] += 1
            if ends.values.reduce(0, +) % 250 == 0 { try expectKeptAfterStart(load.acknowledged, in: data) }
        }
        SoakPlan.report("\(ends), \(load.acknowledged.count) plays acknowledged of \(load.sent)")
        try expectKeptAfterStart(load.acknowledged, in: data, sent: load.sent)
        try expectSameAfterRebuild(load)
    }

    @Test("of steady load keeps memory, threads and descriptors flat, and the database close behind")
    func steady() throws {
        let server = try ServerProcess(data: data)
        let load = PlayLoad(eventsPerBatch: 50, pauseMs: 2_000)
        let players = load.start(port: server.port, connections: 64)
        let end = Date(timeIntervalSinceNow: SoakPlan.seconds / 2)
        var figures: [SoakFigures] = []
        var isSlow: StraceAttachment?
        var round = 0
        while Date() < end {
            usleep(1_000_000)
            round += 1
            // A disk that is slow for ten seconds of every minute, and a client that resets.
            if round % 60 == 40 { isSlow = try StraceAttachment(server, "fdatasync", "delay_enter=100000") }
            if round % 60 == 50 {
                isSlow?.detach()
                isSlow = nil
            }
            let rude = try server.connect()
            try rude.send("POST \(ServerProcess.eventsPath) HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
            rude.reset()
            figures.append(try SoakFigures(server))
        }
        isSlow?.detach()
        load.stop()
        #expect(players.wait(timeout: .now() + 60) == .success)
        #expect(Set(load.answers.keys).isSubset(of: [202, 503]))
        try server.waitForFollower(seconds: 300)

        let (early, late) = SoakFigures.earlyAndLate(figures)
        SoakPlan.report("early \(early), late \(late), answers \(load.answers)")
        #expect(late.resident < early.resident + 32 << 20)
        #expect(late.threads <= early.threads + 4)
        #expect(late.descriptors <= early.descriptors + 8)
        try waitUntil("the connections to go") { try server.metric("qoe_connections") == 0 }
        #expect(server.threads <= ServerProcess.restingThreads)
        #expect(server.stop() == 0)
        try expectKept(load.acknowledged, in: data, sent: load.sent)
        try expectSameAfterRebuild(load)
    }

    /// The reports of a rebuilt database are those of the one that followed, byte for byte, and verify finds nothing.
    private func expectSameAfterRebuild(_ load: PlayLoad) throws {
        let qoe = BuiltProgram("qoe")
        let words = ["report", "--data", data, "--by", "hour,cdnRegion", "--metric", "rebuffering", "--format", "csv"]
        let before = try qoe.run(words)
        let verified = try qoe.run(["verify", "--data", data])
        #expect(verified.status == 0, "\(verified.output)")
        #expect(try qoe.run(["rebuild", "--data", data]).status == 0)
        #expect(try qoe.run(words).output == before.output && before.status == 0)
        try expectKept(load.acknowledged, in: data, sent: load.sent)
    }
}

/// How long a soak takes, and where it says what it found.
enum SoakPlan {
    /// 0 for none.
    static let minutes = ProcessInfo.processInfo.environment["QOE_SOAK_MINUTES"].flatMap { Double($0) } ?? 0

    static var seconds: Double { minutes * 60 }

    /// One line for whoever waits.
    static func report(_ text: String) {
        FileHandle.standardError.write(Data("soak: \(text)\n".utf8))
    }
}

/// What must not grow with time.
struct SoakFigures: CustomStringConvertible {
    /// Bytes.
    var resident: Int
    var threads: Int
    var descriptors: Int

    init(_ server: ServerProcess) throws {
        resident = server.residentBytes
        threads = server.threads
        descriptors = server.descriptors
    }

    /// The largest of each in the second quarter of the time, when all caches are full, and in the last.
    static func earlyAndLate(_ figures: [SoakFigures]) -> (early: SoakFigures, late: SoakFigures) {
        let quarter = figures.count / 4
        return (largest(figures[quarter..<max(quarter * 2, quarter + 1)]), largest(figures[(quarter * 3)...]))
    }

    private static func largest(_ figures: ArraySlice<SoakFigures>) -> SoakFigures {
        figures.dropFirst().reduce(figures[figures.startIndex]) { most, next in
            var most = most
            most.resident = max(most.resident, next.resident)
            most.threads = max(most.threads, next.threads)
            most.descriptors = max(most.descriptors, next.descriptors)
            return most
        }
    }

    var description: String {
        "\(resident >> 20) MiB, \(threads) threads, \(descriptors) descriptors"
    }
}
