import Foundation
import TestSupport
import Testing

@testable import PlaybackMetricsClient

@Suite("The sender report", .timeLimit(.minutes(2)))
struct SenderReportFileTests {
    private let folder: StorageFolder

    init() throws {
        folder = try StorageFolder()
    }

    /// A run that delivers some plays, leaves others, and ends as if it were killed.
    private func run(_ http: any HTTPClient = ScriptedHTTPClient(), delivered: Int, left: Int) async {
        let sender = folder.sender(http)
        for number in 0..<delivered { sender.record(.sample(number)) }
        await sender.flush()
        for number in 0..<left { sender.record(.sample(delivered + number)) }
    }

    @Test("lets the next run tell what died with this one, under its id and a higher sequence")
    func killed() async throws {
        await run(delivered: 10, left: 40)
        let http = ScriptedHTTPClient()
        let next = folder.sender(http)
        next.record(.sample(50))
        await next.flush()
        let bodies = try http.bodies.map { try SentBody($0) }
        #expect(bodies.map { $0.events.count } == [0, 1])
        #expect(bodies.map(\.sender.senderId) == [NumberedIDs.id(1).uuidString, NumberedIDs.id(2).uuidString])
        #expect(bodies.map(\.sender.sequence) == [1, 0])
        #expect(bodies.map(\.sender.made) == [50, 1])
        #expect(bodies.map(\.sender.dropped) == [0, 0])
        // Told once, and gone.
        #expect(folder.files == ["\(NumberedIDs.id(2).uuidString).ledger"])
        #expect(next.stats.recorded == 1 && next.stats.delivered == 1)
    }

    @Test("has nothing to tell when all was told, and leaves no file behind")
    func nothing() async throws {
        await run(delivered: 10, left: 0)
        #expect(folder.files == [])
        let http = ScriptedHTTPClient()
        await folder.sender(http).flush()
        #expect(http.bodies.isEmpty)
    }

    @Test("keeps a sender report that could not be told for the run after", arguments: [503, 200])
    func untold(_ status: Int) async throws {
        await run(delivered: 1, left: 2)
        do {
            let offline = folder.sender(ScriptedHTTPClient([.status(status, body: "")]))
            await offline.flush()
            #expect(folder.files.count == 2)
        }
        let http = ScriptedHTTPClient()
        await folder.sender(http).flush()
        let told = try http.bodies.map { try SentBody($0).sender }
        #expect(told.map(\.made) == [3])
        #expect(told.map(\.sequence) == [2])
        #expect(folder.files.isEmpty)
    }

    @Test("is given up when the endpoint refuses it", arguments: [401, 404, 413])
    func refused(_ status: Int) async throws {
        await run(delivered: 1, left: 2)
        let http = ScriptedHTTPClient(otherwise: .status(status))
        await folder.sender(http).flush()
        #expect(http.bodies.count == 1)
        #expect(folder.files.isEmpty)
    }

    @Test("counts what was dropped and rejected too")
    func counts() async throws {
        do {
            let http = ScriptedHTTPClient([.status(202, body: #"{"accepted":1,"rejected":[{}]}"#)], otherwise: nil)
            let sender = folder.sender(http) { $0.capacity = 3 }
            for number in 0..<2 { sender.record(.sample(number)) }
            await sender.flush()
            for number in 0..<5 { sender.record(.sample(2 + number)) }
            var wrong = PlaybackSummary.sample(9)
            wrong.stalls = -1
            sender.record(wrong)
            await sender.flush()
        }
        let http = ScriptedHTTPClient()
        await folder.sender(http).flush()
        let told = try #require(try http.bodies.map { try SentBody($0).sender }.first)
        #expect(told.made == 8 && told.dropped == 4 && told.rejected == 1)
    }

    @Test("of a sender that lives is nobody else's")
    func living() async throws {
        let first = folder.sender(ScriptedHTTPClient(otherwise: nil))
        first.record(.sample())
        let http = ScriptedHTTPClient()
        await folder.sender(http).flush()
        #expect(http.bodies.isEmpty)
        #expect(first.stats.queued == 1)
    }

    @Test("that is torn or somebody's own costs only itself", arguments: 0..<40)
    func torn(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        await run(delivered: 1, left: 2)
        await run(ScriptedHTTPClient(otherwise: nil), delivered: 1, left: 3)
        let name = "\(NumberedIDs.id(1).uuidString).ledger"
        var bytes = [UInt8](try Data(contentsOf: folder.path(name)))
        #expect(bytes.count == 128)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            bytes[Int.random(in: 0..<56, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if seed % 4 == 0 { bytes = Array(bytes.prefix(Int.random(in: 0..<56, using: &random))) }
        try Data(bytes).write(to: folder.path(name))
        let http = ScriptedHTTPClient()
        let next = folder.sender(http)
        next.record(.sample(9))
        await next.flush()
        let told = try http.bodies.map { try SentBody($0).sender }
        #expect(told.contains { $0.senderId == NumberedIDs.id(2).uuidString && $0.made == 4 })
        #expect(told.allSatisfy { $0.made >= $0.dropped + $0.rejected && $0.made >= 0 && $0.sequence >= 0 })
        #expect(next.stats.delivered == 1)
        #expect(folder.files.count == 1)
    }

    @Test("of more than sixteen dead senders is told for the latest, and the others are removed")
    func many() async throws {
        for _ in 0..<20 { await run(ScriptedHTTPClient(otherwise: nil), delivered: 0, left: 1) }
        let http = ScriptedHTTPClient()
        await folder.sender(http).flush()
        #expect(
            try http.bodies.map { try SentBody($0).sender.senderId } == (5...20).map { NumberedIDs.id($0).uuidString })
        #expect(folder.files.isEmpty)
    }

    @Test("goes at once when metrics are turned off, with what earlier runs left", arguments: [true, false])
    func off(atStart: Bool) async throws {
        await run(delivered: 1, left: 2)
        #expect(folder.files.count == 1)
        let http = ScriptedHTTPClient()
        let sender = folder.sender(http) { $0.consent = atStart ? .denied : .granted }
        if !atStart {
            sender.record(.sample())
            sender.isEnabled = false
        }
        #expect(folder.files.isEmpty)
        sender.record(.sample())
        await sender.flush()
        #expect(http.bodies.isEmpty && folder.files.isEmpty)
        // Turned on again it begins a sender report, and knows nothing of the run before.
        sender.isEnabled = true
        #expect(folder.files.count == 1)
        sender.record(.sample())
        await sender.flush()
        #expect(try http.bodies.map { try SentBody($0).events.count } == [1])
    }

    @Test(
        "is not there where nothing may be written, and that is said once",
        arguments: [PlaybackSpool.off, .caches(limit: 9)])
    func unwritable(_ spool: PlaybackSpool) async throws {
        try Data().write(to: folder.url)
        let http = ScriptedHTTPClient()
        let sender = folder.sender(http, spool: spool)
        for number in 0..<2 {
            sender.record(.sample(number))
            await sender.flush()
        }
        #expect(sender.stats.delivered == 2)
        #expect(folder.logged.value.filter { $0.contains("can be kept in") }.count == 1)
    }

    @Test("is brought to the disk on the way to the background")
    func synchronized() async throws {
        let sender = folder.sender(ScriptedHTTPClient(otherwise: nil), spool: .caches(limit: 10))
        sender.record(.sample())
        await sender.flushInBackground().value
        await sender.stop()
        #expect(folder.files.count == 2)
    }
}
