import Foundation
import TestSupport
import Testing

@testable import PlaybackMetricsClient

@Suite("The sender's spool", .timeLimit(.minutes(2)))
struct SpoolTests {
    private static let on = PlaybackSpool.caches(limit: 500)
    private let folder: StorageFolder

    init() throws {
        folder = try StorageFolder()
    }

    private func run(_ http: any HTTPClient, delivered: Range<Int> = 0..<0, left: Range<Int>) async {
        let sender = folder.sender(http, spool: Self.on)
        for number in delivered { sender.record(.sample(number)) }
        await sender.flush()
        for number in left { sender.record(.sample(number)) }
    }

    @Test("brings the plays of a killed run first, under its id with its sender report, each once")
    func killed() async throws {
        await run(ScriptedHTTPClient(), delivered: 0..<10, left: 10..<50)
        let http = ScriptedHTTPClient()
        let next = folder.sender(http, spool: Self.on)
        next.record(.sample(50))
        #expect(next.stats.earlierQueued == 40)
        await next.flush()
        let bodies = try http.bodies.map { try SentBody($0) }
        #expect(try http.sentNumbers == [Array(10..<50), [50]])
        #expect(bodies.map(\.sender.senderId) == [NumberedIDs.id(1).uuidString, NumberedIDs.id(2).uuidString])
        #expect(bodies.map(\.sender.made) == [50, 1])
        #expect(bodies.map(\.sender.sequence) == [1, 0])
        #expect(next.stats.recorded == 1 && next.stats.earlierDelivered == 40 && next.stats.earlierQueued == 0)
        // A third run has nothing left to bring.
        let last = ScriptedHTTPClient()
        await folder.sender(last, spool: Self.on).flush()
        #expect(last.bodies.isEmpty)
    }

    @Test("brings every figure and text of a play as a request of its own run would have")
    func everything() async throws {
        var play = PlaybackSummary.sample(7)
        play.error = PlaybackError(domain: "CoreMediaErrorDomain", code: -12_660)
        play.bytes = 5_000_000
        play.memoryBytes = 1 << 40
        play.waitedMs = 3
        play.accessLogStartupMs = 4
        play.attempt = 2
        play.context.session = SessionID(uuid: NumberedIDs.id(5))
        play.context.cdn = "a \"b\" é"
        play.context.network = .wifi
        play.context.tags["arm"] = "x"
        let http = [ScriptedHTTPClient(), ScriptedHTTPClient()]
        let straight = folder.sender(http[0])
        straight.record(play)
        straight.record(.sample(8))
        await straight.flush()
        do {
            let sender = folder.sender(ScriptedHTTPClient(), spool: Self.on)
            sender.record(play)
            sender.record(.sample(8))
        }
        await folder.sender(http[1], spool: Self.on).flush()
        let sent = try http.map { try SentBody(try #require($0.bodies.first)).events }
        #expect(sent[0] == sent[1] && sent[0].count == 2)
    }

    @Test("tells the age across runs by the clock of the device's boot, whatever the device's own clock says")
    func age() async throws {
        await run(ScriptedHTTPClient(), left: 0..<1)
        folder.boot.update { $0.time += .seconds(90) }
        folder.wallClock.update { $0 += 7 * 365 * 86_400 }
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: Self.on).flush()
        let body = try #require(http.bodies.first)
        #expect(try SentBody(body).events.map(\.ageMs) == [90_000])
    }

    @Test("tells the device's own time after the device was started anew", arguments: [0, 2] as [UInt64])
    func boot(_ id: UInt64) async throws {
        folder.boot.update { $0.id = id == 0 ? 0 : 1 }
        await run(ScriptedHTTPClient(), left: 0..<1)
        folder.boot.value = (id, .seconds(5))
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: Self.on).flush()
        let text = String(decoding: try #require(http.bodies.first), as: UTF8.self)
        #expect(text.contains(#""endedAt":1796000000000"#) && !text.contains("ageMs"))
    }

    @Test("keeps what a failed request leaves, in order, over any number of runs")
    func runs() async throws {
        for run in 0..<5 { await self.run(ScriptedHTTPClient(otherwise: nil), left: run * 3..<run * 3 + 3) }
        let http = ScriptedHTTPClient([.status(503), .status(202), .status(503)])
        do {
            let sender = folder.sender(http, spool: Self.on)
            await sender.flush()
            await sender.flushInBackground().value
        }
        await folder.sender(http, spool: Self.on).flush()
        #expect(
            try http.sentNumbers.filter { !$0.isEmpty } == [
                [0, 1, 2], [0, 1, 2], [3, 4, 5], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14],
            ])
    }

    @Test("keeps the latest plays within its limit and its size, and the memory's bound holds for all runs together")
    func bounds() async throws {
        do {
            let sender = folder.sender(ScriptedHTTPClient(), spool: .caches(limit: 30))
            for number in 0..<100 { sender.record(.sample(number)) }
        }
        let http = ScriptedHTTPClient()
        do {
            let sender = folder.sender(http, spool: .caches(limit: 30)) { $0.capacity = 40 }
            #expect(sender.stats.earlierQueued == 30)
            for number in 100..<120 { sender.record(.sample(number)) }
            await sender.flush()
        }
        // Ten of the earlier run's went for the later's, and are counted as given up by it.
        let bodies = try http.bodies.map { try SentBody($0) }
        #expect(try http.sentNumbers == [Array(80..<100), Array(100..<120)])
        #expect(bodies[0].sender.dropped == 10 && bodies[0].sender.made == 100)
        let size = try Data(contentsOf: folder.path("plays.spool")).count
        #expect(size == 262_144)
    }

    @Test("drops the oldest when 256 KiB are full, and loses no other", arguments: 1...4 as ClosedRange<UInt64>)
    func full(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        do {
            let sender = folder.sender(ScriptedHTTPClient(), spool: Self.on)
            for number in 0..<900 {
                var play = PlaybackSummary.sample(number)
                for tag in 0..<Int.random(in: 0...8, using: &random) {
                    let length = Int.random(in: 1...128, using: &random)
                    play.context.tags[TagName(stringLiteral: "t\(tag)")] =
                        PlaybackLabel(stringLiteral: String(repeating: "x", count: length))
                }
                sender.record(play)
                // Some are delivered meanwhile.
                if number % 97 == 0 { await sender.flush() }
            }
        }
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: Self.on).flush()
        let numbers = try http.sentNumbers.flatMap { $0 }
        #expect(numbers == (873 + 1..<900).map { $0 })
    }

    @Test(
        "that nobody sends wraps round again and again, and has the latest in order",
        arguments: 1...4 as ClosedRange<UInt64>)
    func wraps(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        var kept: [(Spool.Record, Spool.Mark)] = []
        var bytes = 0
        for _ in 0..<3 {
            // The file is read anew, as after a kill.
            let spool = try #require(Spool(in: folder.url, limit: 200))
            let found = spool.takeOver()
            #expect(found.map(\.record) == kept.map(\.0).suffix(found.count))
            #expect(kept.isEmpty || found.count >= min(kept.count, 15))
            kept = found.map { ($0.record, $0.mark) }
            for number in 0..<400 {
                let longest = Bool.random(using: &random) ? 700 : 16_384
                let event = Array(
                    repeating: UInt8(truncatingIfNeeded: number), count: Int.random(in: 0...longest, using: &random))
                let record = Spool.Record(
                    senderId: NumberedIDs.id(number), bootTime: Int64(number), boot: 1, wallTime: 2, event: event)
                let mark = spool.append(record)
                kept.append((record, mark))
                bytes += event.count
                if Bool.random(using: &random) {
                    let place = Int.random(in: 0..<kept.count, using: &random)
                    // Removing twice, or what the ring has forgotten, does nothing.
                    spool.remove(kept[place].1)
                    spool.remove(kept[place].1)
                    kept.remove(at: place)
                }
            }
        }
        #expect(bytes > 4 * Spool.size)
        let spool = try #require(Spool(in: folder.url, limit: 200))
        let found = spool.takeOver().map(\.record)
        #expect(found == kept.map(\.0).suffix(found.count))
        #expect(
            spool.append(
                Spool.Record(
                    senderId: UUID(), bootTime: 0, boot: 0, wallTime: 0, event: Array(repeating: 0, count: 16_385)))
                == .none)
    }

    @Test("that is torn or half written costs only what is torn, and never the app", arguments: 0..<60 as Range<UInt64>)
    func torn(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        await run(ScriptedHTTPClient(), left: 0..<40)
        let url = folder.path("plays.spool")
        var bytes = [UInt8](try Data(contentsOf: url))
        switch seed % 3 {
        case 0:
            // A page that never reached the disk.
            let page = Int.random(in: 0..<6, using: &random) * 4_096
            for place in page..<page + 4_096 { bytes[place] = 0 }
        case 1: bytes = Array(bytes.prefix(Int.random(in: 0..<20_000, using: &random)))
        default:
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: 0..<20_000, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        }
        try Data(bytes).write(to: url)
        let http = ScriptedHTTPClient()
        let next = folder.sender(http, spool: Self.on)
        next.record(.sample(50))
        await next.flush()
        let bodies = try http.bodies.map { try SentBody($0) }
        let numbers = try http.sentNumbers.flatMap { $0 }
        #expect(numbers.last == 50 && next.stats.delivered == 1)
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.compactMap { $0 }.sorted() == numbers)
        // The sender report knows how many died.
        #expect(bodies.contains { $0.sender.senderId == NumberedIDs.id(1).uuidString && $0.sender.made == 40 })
        let last = ScriptedHTTPClient()
        await folder.sender(last, spool: Self.on).flush()
        #expect(last.bodies.isEmpty)
    }

    @Test("of one sender after another in the same run of the app goes on with its sender report and its sequence")
    func inTurn() async throws {
        do {
            let http = ScriptedHTTPClient([.status(202)], otherwise: nil)
            let first = folder.sender(http, spool: Self.on) { $0.batchLimit = 7 }
            for number in 0..<10 { first.record(.sample(number)) }
            await first.flush()
            #expect(first.stats.delivered == 7 && first.stats.queued == 3)
        }
        // What it made was told with the first request, but three of its plays are still here.
        #expect(folder.files == ["\(NumberedIDs.id(1).uuidString).ledger", "plays.spool"])
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: Self.on).flush()
        #expect(try http.sentNumbers == [[7, 8, 9]])
        let report = try SentBody(http.bodies[0]).sender
        #expect(report.senderId == NumberedIDs.id(1).uuidString && report.made == 10 && report.sequence == 2)
        #expect(folder.files == ["plays.spool"])
    }

    @Test("goes on where a directory stands in the sender report's place, however often consent is given")
    func withoutReportFile() async throws {
        await run(ScriptedHTTPClient(otherwise: nil), left: 0..<3)
        let place = folder.path("\(NumberedIDs.id(2).uuidString).ledger")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        do {
            let sender = folder.sender(ScriptedHTTPClient([.status(202)], otherwise: nil), spool: Self.on)
            sender.record(.sample(3))
            for _ in 0..<3 { sender.consent = .granted }
            #expect(sender.stats.earlierQueued == 3)
            await sender.flush()
            #expect(sender.stats.earlierDelivered == 3 && sender.stats.queued == 1)
        }
        // The play that no sender report goes with comes all the same.
        #expect(folder.logged.value.filter { $0.contains("no sender report can be kept") }.count == 1)
        let http = ScriptedHTTPClient()
        await folder.sender(http, spool: Self.on).flush()
        let body = String(decoding: try #require(http.bodies.first), as: UTF8.self)
        #expect(http.bodies.count == 1 && body.contains(NumberedIDs.id(3).uuidString) && !body.contains("sender"))
    }

    @Test("and a sender report that can't be had either are told as what is first missing")
    func nothing() async throws {
        for name in ["\(NumberedIDs.id(1).uuidString).ledger", "plays.spool"] {
            try FileManager.default.createDirectory(at: folder.path(name), withIntermediateDirectories: true)
        }
        let sender = folder.sender(ScriptedHTTPClient(), spool: Self.on)
        sender.record(.sample(0))
        await sender.flush()
        #expect(sender.stats.delivered == 1)
        let complaints = folder.logged.value.filter { $0.contains("can be kept in") }
        #expect(complaints.map { $0.contains("no sender report") } == [true])
    }

    #if os(Linux)
        @Test("that the disk has no room for leaves no file behind")
        func fullDisk() throws {
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            // Whatever is written there, the device says that it is full.
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("plays.spool").path, withDestinationPath: "/dev/full")
            #expect(Spool(in: folder.url, limit: 1) == nil)
            #expect(folder.files.isEmpty)
        }
    #endif

    @Test("is nothing that was not asked for, and goes when it no longer is")
    func off() async throws {
        let sender = folder.sender(ScriptedHTTPClient())
        sender.record(.sample())
        #expect(folder.files.filter { $0.hasSuffix(".spool") }.isEmpty)
        await run(ScriptedHTTPClient(otherwise: nil), left: 0..<3)
        #expect(folder.files.contains("plays.spool"))
        let http = ScriptedHTTPClient()
        await folder.sender(http).flush()
        #expect(!folder.files.contains("plays.spool"))
        // What it held is counted as made all the same.
        #expect(try http.bodies.map { try SentBody($0).sender.made } == [3])
    }

    @Test("goes at once when metrics are turned off, with the plays of earlier runs")
    func disabled() async throws {
        await run(ScriptedHTTPClient(otherwise: nil), left: 0..<3)
        let http = ScriptedHTTPClient()
        let sender = folder.sender(http, spool: Self.on)
        sender.record(.sample(4))
        sender.isEnabled = false
        #expect(folder.files.isEmpty && sender.stats.earlierQueued == 0)
        await sender.flush()
        #expect(http.bodies.isEmpty)
        sender.isEnabled = true
        sender.record(.sample(5))
        await sender.flush()
        #expect(try http.sentNumbers == [[5]])
    }

    @Test("turned off while an earlier run's plays are on the wire does not repeat them")
    func onTheWire() async throws {
        await run(ScriptedHTTPClient(otherwise: nil), left: 0..<3)
        let http = HeldHTTPClient()
        let sender = folder.sender(http, spool: Self.on)
        async let flush: Void = sender.flush()
        await http.untilPosted(1)
        sender.isEnabled = false
        http.answer(nil)
        await flush
        sender.isEnabled = true
        #expect(sender.stats.earlierQueued == 0)
        await sender.flush()
        #expect(http.bodies.count == 1)
    }

    @Test("is one sender's at a time: another that lives has none, and says so")
    func shared() async throws {
        let first = folder.sender(ScriptedHTTPClient(otherwise: nil), spool: Self.on)
        first.record(.sample(0))
        let second = folder.sender(ScriptedHTTPClient(), spool: Self.on)
        second.record(.sample(1))
        await second.flush()
        #expect(second.stats.delivered == 1 && first.stats.queued == 1)
        #expect(folder.logged.value.contains { $0.contains("another sender has it") })
    }
}
