import Archive
import Ingest
import PlaybackEvents
import PlayStore
import TestSupport
import Testing

@Suite("A replay of the quarantine")
struct QuarantineReplayTests {
    private let data: DataFolder

    init() throws {
        data = try DataFolder()
    }

    /// A line as an older server left it, whose rules were wrong.
    private func line(
        _ raw: String, _ receipt: Receipt = .number(1), index: Int64 = 0, code: Rejection.Code = .outOfRange
    ) -> QuarantineLine {
        QuarantineLine(
            receivedAt: receipt.receivedAt, requestId: receipt.requestId, index: index, code: code.rawValue,
            field: "", raw: Array(raw.utf8))
    }

    private func replay(code: Rejection.Code? = nil) throws -> QuarantineReplay.Counts {
        try data.open { keeper in
            let counts = try QuarantineReplay(keeper, code: code).run()
            try keeper.follower.followToEnd()
            return counts
        }
    }

    @Test("archives what is good now as it would have been then: request, time, index, context and region")
    func likeThen() throws {
        let context = #"{"sessionId":"s1","cdn":"c1","tags":{"arm":"a"}}"#
        let good = event(#""ageMs":60000"#)
        let receipt = Receipt.number(1, region: "eu-west")
        // What a server without the fault would have made of it.
        let right = try DataFolder()
        let body = #"{"context":\#(context),"events":[\#(event()),\#(good)]}"#
        try right.receive(body, receipt)

        try data.receive(#"{"context":\#(context),"events":[\#(event()),3]}"#, receipt)
        var quarantined = line(good, receipt, index: 1)
        quarantined.context = .kept(Array(context.utf8))
        quarantined.regionHeader = Array("eu-west".utf8)
        try data.quarantine([quarantined])
        let counts = try replay()
        #expect(counts.accepted == 1)
        #expect(counts.rejected == [.wrongType: 1])

        let columns = "play_id, session_id, cdn, cdn_region, region_from, tags, ended_at, received_at"
        let rows = try data.rows("SELECT \(columns) FROM plays ORDER BY ended_at")
        #expect(rows == (try right.rows("SELECT \(columns) FROM plays ORDER BY ended_at")))
        #expect(rows.count == 2)
        let replayed = try #require(try data.lines().last)
        #expect(replayed.contains(#""index":1"#) && replayed.contains(receipt.requestId.hexadecimalText))
    }

    @Test("changes nothing when it is run again")
    func twice() throws {
        try data.quarantine([
            line(event(#""playId":"01930000-0000-7000-8000-000000000001""#)), line(event(), index: 1),
            line(event(), .number(2, at: DataFolder.morning - DataFolder.day)), line("{}", .number(3)),
        ])
        let first = try replay()
        #expect(first.accepted == 3 && first.replayedBefore == 0)
        let lines = try data.lines()
        let second = try replay()
        #expect(second.accepted == 0 && second.replayedBefore == 3)
        #expect(second.judged == 4 && second.rejected == [.missing: 1])
        #expect(try data.lines() == lines)
        #expect(try data.rows("SELECT duplicates, loaded FROM totals") == [["0", "3"]])
    }

    @Test("leaves events of days of which the archive was pruned: they may have been taken before")
    func prunedDays() throws {
        let days = (0..<3).map { DataFolder.morning - Int64(2 - $0) * DataFolder.day }
        try data.quarantine(days.enumerated().map { line(event(), .number(UInt64($0), at: $1)) })
        #expect(try replay().accepted == 3)
        _ = try DataPruner.prune(data.paths.root, before: UTCDay(holding: days[1]), archiveToo: true)
        try data.quarantine([line(event(), .number(9, at: days[0])), line(event(), .number(8, at: days[2]))])
        let counts = try replay()
        #expect(counts.tooOld == 1 && counts.replayedBefore == 2 && counts.accepted == 1)
    }

    @Test("takes an event once that is in the quarantine twice")
    func sameEventTwice() throws {
        try data.quarantine([line(event()), line(event())])
        let counts = try replay()
        #expect(counts.accepted == 1 && counts.replayedBefore == 1)
        #expect(try data.lines().count == 1)
    }

    @Test("puts each play into a file of its day of receipt")
    func days() throws {
        let days = [0, 2, 1].map { DataFolder.morning - Int64($0) * DataFolder.day }
        try data.quarantine(days.enumerated().map { line(event(), .number(UInt64($0), at: $1)) })
        #expect(try replay().accepted == 3)
        let segments = try SegmentList(directory: data.paths.archive, kind: .plays).segments
        #expect(segments.map(\.day) == days.map { UTCDay(holding: $0) })
    }

    @Test("looks only at events that were rejected with the named code")
    func byCode() throws {
        try data.quarantine([
            line(event()), line(event(), .number(2), code: .badFormat), line("[]", .number(3), code: .badFormat),
        ])
        let counts = try replay(code: .badFormat)
        #expect(counts.judged == 2 && counts.accepted == 1)
        #expect(counts.rejected == [.wrongType: 1])
    }

    @Test("leaves an event whose context was too long to be kept: it would lose what that gave it")
    func longContext() throws {
        var quarantined = line(event())
        quarantined.context = .tooLong(bytes: 5_000)
        try data.quarantine([quarantined])
        let counts = try replay()
        #expect(counts.incomplete == 1 && counts.accepted == 0)
    }

    @Test("judges by the whole contract: the context where it is applied, and one event for each line")
    func judgesWhole() throws {
        var badContext = line(event())
        badContext.context = .kept(Array(#"{"cdn":5}"#.utf8))
        var brokenContext = line(event(), .number(2))
        brokenContext.context = .kept(Array(#"{},"events":[],"x":{"#.utf8))
        let two = line(event() + "," + event(), .number(3))
        let none = line("", .number(4))
        let noText = QuarantineLine(
            receivedAt: DataFolder.morning, requestId: Identifier128(high: 7, low: 5), index: 0, code: "bad_characters",
            field: "", raw: [0xFF])
        let negative = line(event(), .number(6), index: -1)
        try data.quarantine([badContext, brokenContext, two, none, noText, negative])
        let counts = try replay()
        #expect(counts.accepted == 0)
        #expect(counts.rejected == [.wrongType: 6])
    }

    @Test("rejects again what today's rules rejected, with the same code, in every golden case")
    func sameVerdicts() throws {
        var codes: [Rejection.Code: Int] = [:]
        try data.open { keeper in
            for (number, golden) in ValidationCase.all.enumerated() where golden.body.count < 100_000 {
                let receipt = Receipt.number(UInt64(number), region: "eu-west")
                guard let (batch, lines) = try? Intake.judge(golden.body, receipt: receipt) else { continue }
                try keeper.committer.commit(LogLines(rejected: lines.rejected, receivedAt: receipt.receivedAt))
                for rejection in batch.rejections { codes[rejection.code, default: 0] += 1 }
            }
        }
        let counts = try replay()
        #expect(counts.accepted == 0 && counts.incomplete == 0)
        #expect(counts.rejected == codes)
        #expect(Set(codes.keys) == Set(Rejection.Code.allCases))
    }

    @Test("passes over lines of the archive that could not be loaded, and lines that are none")
    func otherLines() throws {
        var unloadable = line(event())
        unloadable.code = "unloadable"
        try data.quarantine([unloadable])
        try data.open { keeper in
            try keeper.committer.commit(LogLines(rejected: Array("{}\n".utf8), receivedAt: DataFolder.morning))
        }
        let counts = try replay()
        #expect(counts.unloadable == 1 && counts.unreadable == 1 && counts.judged == 0)
    }

    @Test("gives the same database when it is made anew")
    func rebuild() throws {
        let receipt = Receipt.number(1)
        try data.receive(#"{"events":[\#(event()),\#(event())]}"#, receipt)
        try data.quarantine([line(event(), receipt, index: 2)])
        _ = try replay()
        let plays = try data.rows("SELECT * FROM plays ORDER BY hour, play_id")
        #expect(plays.count == 3)
        try data.rebuild()
        #expect(try data.rows("SELECT * FROM plays ORDER BY hour, play_id") == plays)
    }
}
