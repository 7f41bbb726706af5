import PlaybackEvents
import TestSupport
import Testing

@Suite("Lines that are read back")
struct LoggedPlaysTests {
    private static let id = "0123456789abcdef000000000000002a"
    private static let sound =
        #"{"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":1,"endedAt":5,"receivedAt":6,"requestId":"\#(id)"}"#

    private func fault(of line: String) -> LineError? {
        fault(of: Array(line.utf8))
    }

    private func fault(of line: [UInt8]) -> LineError? {
        var logged = LoggedPlays()
        do {
            try logged.append(line: line.span.bytes)
            return nil
        } catch {
            #expect(logged.entries.isEmpty && logged.text.isEmpty)
            return error
        }
    }

    private func edited(_ old: String, _ new: String) -> String {
        let parts = Self.sound.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
        #expect(parts.count == 2)
        return parts.joined(separator: new)
    }

    @Test("may have their keys in any order, and unknown ones")
    func takeAnyOrder() throws {
        #expect(fault(of: Self.sound) == nil)
        let other =
            #" {"x":[{"y":1}],"requestId":"\#(Self.id.uppercased())","receivedAt":6,"tags":{ "b":"1", "\u0061":"\u0022"},"#
            + #""endedAt":-5, "watchedMs":1.0,"stalledMs":0,"stalls":0,"videoId":"\u0076"}"#
        let logged = try RoundTrip.read(Array((other.dropFirst() + "\n").utf8))
        guard case .play(let play) = try #require(logged.entries.first).kind else { return }
        #expect(logged.string(play.videoId) == "v")
        #expect(logged.string(play.tags) == #"{"a":"\"","b":"1"}"#)
        #expect(play.endedAt == -5)
        #expect(logged.entries[0].requestId == Identifier128(high: 0x0123_4567_89ab_cdef, low: 42))
        #expect(logged.string(logged.entries[0].line) == String(other.dropFirst()))
    }

    @Test("that could not be ours are faults, and nothing of them is kept")
    func refuseForeign() {
        let foreign = [
            "", " ", "{}", "[]", "null", "x", Self.sound + " ", Self.sound + Self.sound, " " + Self.sound,
            String(Self.sound.dropLast()), edited(#""videoId":"v","#, ""), edited(#""endedAt":5,"#, ""),
            edited(#""receivedAt":6,"#, ""), edited(#","requestId":"\#(Self.id)""#, ""),
            edited(Self.id, "0123"), edited(Self.id, String(Self.id.dropLast() + "g")), edited(#""v""#, #""""#),
            edited(#""v""#, #""a\nb""#), edited(#""v""#, #""(v""#), edited(#""v""#, "7"), edited(#""v""#, #""\ud800""#),
            edited(#""stalls":0"#, #""stalls":-1"#), edited(#""stalls":0"#, #""stalls":100001"#),
            edited(#""stalls":0"#, #""stalls":0.5"#), edited(#""stalls":0"#, #""stalls":null"#),
            edited(#""stalledMs":0"#, #""stalledMs":1"#), edited(#""stalledMs":0"#, #""stalledMs":2"#),
            edited(#""endedAt":5"#, #""endedAt":9223372036854775808"#), edited("{", #"{"stalls":0,"#),
            edited("{", #"{"playId":"x","#), edited("{", #"{"avgBitrate":0,"#), edited("{", #"{"attempt":0,"#),
            edited("{", #"{"cdn":{},"#), edited("{", #"{"cdnRegion":"a","#), edited("{", #"{"regionFrom":"event","#),
            edited("{", #"{"regionFrom":"moon","cdnRegion":"a","#), edited("{", #"{"clockSkewed":false,"#),
            edited("{", #"{"index":-1,"#), edited("{", #"{"index":2147483648,"#), edited("{", #"{"tags":{},"#),
            edited("{", #"{"tags":[],"#), edited("{", #"{"tags":{"A":"b"},"#), edited("{", #"{"tags":{"a":1},"#),
            edited("{", #"{"tags":{"a":"b","a":"b"},"#), edited("{", #"{"sender":5,"#), edited("{", #"{"sender":{},"#),
            edited("{", "{\"x\":" + String(repeating: "[", count: 20) + String(repeating: "]", count: 20) + ","),
            #"{"sender":{"senderId":"s","sequence":1,"made":2,"dropped":3},"receivedAt":1,"requestId":"\#(Self.id)"}"#,
        ]
        for line in foreign { #expect(fault(of: line) != nil, "\(line)") }
        #expect(fault(of: [0xFF]) != nil)
        #expect(fault(of: Array("{\"x\":\"".utf8) + [0xC3] + Array("\"}".utf8)) != nil)
        for length in 0..<Self.sound.utf8.count { #expect(fault(of: String(Self.sound.prefix(length))) != nil) }
    }

    @Test("take a damaged line whole or not at all, and the sound one behind it")
    func surviveDamage() throws {
        var random = SeededGenerator(seed: 11)
        let event = Request.event(#""tags":{"a":"b"}"#, #""error":"e""#, #""cdnRegion":"r""#, #""ageMs":5"#)
        let line = Array(RoundTrip.lines(of: try Request.decode(Request.body(events: [event]))).dropLast())
        var taken = 0
        for _ in 0..<5_000 {
            var damaged = line
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] = UInt8.random(in: 0...255, using: &random)
            }
            var logged = LoggedPlays()
            do {
                try logged.append(line: damaged.span.bytes)
                taken += 1
                #expect(!logged.entries.isEmpty)
            } catch {
                #expect(logged.entries.isEmpty && logged.text.isEmpty)
            }
            let before = logged.entries.count
            try logged.append(line: line.span.bytes)
            #expect(logged.entries.count == before + 1)
        }
        // Damage within a text leaves a line a line.
        #expect((50..<4_500).contains(taken), "\(taken) of 5,000")
    }

    @Test("know their event's index, named or counted, across faults and other requests")
    func countIndices() throws {
        let some = try Request.decode(
            Request.body(events: ["{}", Request.event(), Request.event(), "5", Request.event()]))
        #expect(some.indices == [1, 2, 4])
        let lines = RoundTrip.lines(of: some)
        #expect(String(decoding: lines, as: UTF8.self).split(separator: "\"index\":").count == 4)
        #expect(try RoundTrip.read(lines).entries.map(\.index) == [1, 2, 4])

        var other = try Request.decode(Request.body(events: [Request.event(), Request.event()]))
        let plain = RoundTrip.lines(of: other)
        #expect(!String(decoding: plain, as: UTF8.self).contains("\"index\""))
        other.receipt.requestId.low = 43
        var logged = LoggedPlays()
        for line in (plain + RoundTrip.lines(of: other)).split(separator: 0x0A) {
            try logged.append(line: line.span.bytes)
            // A line of the same request that can't be read has had its place too.
            #expect(throws: LineError.self) {
                try logged.append(line: [UInt8](arrayLiteral: 0x78).span.bytes)
            }
        }
        #expect(logged.entries.map(\.index) == [0, 2, 0, 2])
        logged.removeAll(keepingCapacity: true)
        let first = plain.split(separator: 0x0A)[0]
        try logged.append(line: first.span.bytes)
        #expect(logged.entries.map(\.index) == [0])
    }

    @Test("of a replay name every index, so that they don't continue the count before them")
    func nameEveryIndex() throws {
        let first = try Request.decode(Request.body(events: ["{}", Request.event()]))
        let mended = try Request.decode(Request.body(events: [Request.event()]))
        let lines = RoundTrip.lines(of: first) + RoundTrip.lines(of: mended, everyIndex: true)
        #expect(try RoundTrip.read(lines).entries.map(\.index) == [1, 0])
    }

    @Test("share one stretch of text, whatever their number")
    func shareText() throws {
        var random = SeededGenerator(seed: 12)
        let batch = try Request.decode(Request.body(events: (0..<200).map { _ in RandomEvent(&random).odd(&random) }))
        let lines = RoundTrip.lines(of: batch)
        var logged = try RoundTrip.read(lines)
        RoundTrip.expectSame(batch, logged)
        for (entry, line) in zip(logged.entries, lines.split(separator: 0x0A)) {
            #expect(Array(logged[entry.line]) == Array(line))
        }
        logged.removeAll(keepingCapacity: true)
        #expect(logged.entries.isEmpty && logged.text.isEmpty)
    }
}

/// Writes a batch as lines of the archive and reads them back.
enum RoundTrip {
    static func lines(of batch: PlayBatch, everyIndex: Bool = false) -> [UInt8] {
        var lines: [UInt8] = []
        ArchiveLine.append(batch, to: &lines, everyIndex: everyIndex)
        return lines
    }

    static func read(_ lines: [UInt8]) throws -> LoggedPlays {
        var logged = LoggedPlays()
        for line in lines.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            try logged.append(line: line.span.bytes)
        }
        return logged
    }

    /// Expects what is read back to be the batch.
    static func expectSame(_ batch: PlayBatch, _ logged: LoggedPlays) {
        var entries = logged.entries[...]
        if let account = batch.account, let first = entries.first {
            guard case .account(let read) = first.kind else {
                Issue.record("The first line is no account.")
                return
            }
            #expect(logged.string(read.senderId) == batch.string(account.senderId))
            #expect(
                [read.sequence, read.made, read.dropped, read.rejected]
                    == [account.sequence, account.made, account.dropped, account.rejected])
            entries = entries.dropFirst()
        }
        #expect(entries.count == batch.plays.count)
        #expect(entries.map(\.index) == batch.indices)
        for (entry, play) in zip(entries, batch.plays) {
            #expect(entry.requestId == batch.receipt.requestId)
            #expect(entry.receivedAt == batch.receipt.receivedAt)
            guard case .play(let read) = entry.kind else {
                Issue.record("A line is no play.")
                continue
            }
            #expect(StoredPlay(read) { logged[$0] } == StoredPlay(play) { batch[$0] })
            #expect(logged.string(read.tags) == batch.string(play.tags))
        }
    }
}
