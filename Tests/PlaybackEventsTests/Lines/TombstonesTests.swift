import Testing

@testable import PlaybackEvents

@Suite("Tombstones")
struct TombstonesTests {
    private static let id = Identifier128(high: 0x0198_f2d0_0000_7000, low: 0x8000_0000_0000_0001)
    private static let idText = "0198f2d0-0000-7000-8000-000000000001"

    private func decoded(_ body: String) throws -> (batch: PlayBatch, body: [UInt8]) {
        let bytes = Array(body.utf8)
        let receipt = Receipt(receivedAt: 1_796_000_000_000, requestId: Identifier128(high: 1, low: 2))
        return (try RequestDecoder.decode(bytes, receipt: receipt), bytes)
    }

    private static func event(_ more: String) -> String {
        #"{"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":1\#(more)}"#
    }

    private static func session(_ text: String) -> ErasureTarget { .session(Array(text.utf8)) }

    @Test("are hashes as the authors of SipHash publish them")
    func hash() {
        // The key 00 01 … 0f, and the first two vectors of their reference.
        let key = Identifier128(high: 0x0f0e_0d0c_0b0a_0908, low: 0x0706_0504_0302_0100)
        #expect(
            Self.reference(key, []) == Identifier128(high: 0x9302_55c7_1472_f66d, low: 0xe6a8_25ba_047f_81a3))
        #expect(SipHash(key: key)(0, []) == Identifier128(high: 0x45fc_229b_1159_7634, low: 0x44af_996b_d8c1_87da))
        for length in 1..<40 {
            let message = (0..<length).map { UInt8($0) }
            #expect(SipHash(key: key)(0, message.dropFirst()) == Self.reference(key, message))
        }
    }

    /// SipHash-2-4-128 once more, straight from the paper.
    private static func reference(_ key: Identifier128, _ message: [UInt8]) -> Identifier128 {
        var v: [UInt64] = [
            key.low ^ 0x736f6d6570736575, key.high ^ 0x646f72616e646f6d ^ 0xee, key.low ^ 0x6c7967656e657261,
            key.high ^ 0x7465646279746573,
        ]
        func rotate(_ position: Int, _ bits: UInt64) { v[position] = v[position] << bits | v[position] >> (64 - bits) }
        func round() {
            v[0] &+= v[1]; rotate(1, 13); v[1] ^= v[0]; rotate(0, 32)
            v[2] &+= v[3]; rotate(3, 16); v[3] ^= v[2]
            v[0] &+= v[3]; rotate(3, 21); v[3] ^= v[0]
            v[2] &+= v[1]; rotate(1, 17); v[1] ^= v[2]; rotate(2, 32)
        }
        var padded = message + [UInt8](repeating: 0, count: 7 - message.count % 8) + [UInt8(message.count)]
        while !padded.isEmpty {
            let word = padded.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            padded.removeFirst(8)
            v[3] ^= word
            round()
            round()
            v[0] ^= word
        }
        v[2] ^= 0xee
        for _ in 0..<4 { round() }
        let low = v.reduce(0, ^)
        v[1] ^= 0xdd
        for _ in 0..<4 { round() }
        return Identifier128(high: v.reduce(0, ^), low: low)
    }

    @Test("know a play by its session, its identifier and each of its tags, and nobody else's")
    func plays() throws {
        let (batch, _) = try decoded(
            """
            {"events":[\(Self.event(#","playId":"\#(Self.idText)","sessionId":"s 1","tags":{"arm":"a","viewer":"4\"7"}"#)),
            \(Self.event(#","sessionId":"s 2","tags":{"viewer":"5"}"#)),\(Self.event(""))]}
            """)
        let targets: [ErasureTarget] = [
            Self.session("s 1"), .play(Self.id), .tag(name: Array("viewer".utf8), value: Array("4\"7".utf8)),
        ]
        for target in targets {
            let tombstones = Tombstones(target)
            let known = batch.plays.map { tombstones.has($0, id: $0.playId, in: batch.text) }
            #expect(known == [true, false, false], "\(target)")
        }
    }

    @Test("take plays and rejected events out of a request, and leave the others their places")
    func removal() throws {
        var (batch, body) = try decoded(
            """
            {"events":[\(Self.event(#","sessionId":"s1""#)),{"sessionId":"s1"},\(Self.event(#","sessionId":"s2""#)),
            {"sessionId":"s2"}]}
            """)
        #expect(Tombstones(Self.session("s1")).remove(from: &batch, body: body) == 2)
        #expect(batch.indices == [2] && batch.rejections.map(\.index) == [3])
        var lines: [UInt8] = []
        ArchiveLine.append(batch, to: &lines)
        #expect(String(decoding: lines, as: UTF8.self).hasPrefix(#"{"index":2,"#))
    }

    @Test("find a name in bytes that are no JSON, as a whole text alone")
    func looseTexts() {
        let tombstones = Tombstones(Self.session("s\"é1"))
        for text in [#"{"sessionId":"s\"é1"}"#, #"{"a":["s\"\u00e91"#, #"sid="s\"é1",cid="x""#] {
            #expect(tombstones.has(anyTextOf: Array(text.utf8)), "\(text)")
        }
        #expect(!tombstones.has(anyTextOf: Array(#"{"sessionId":"s\"é12"}"#.utf8)))
        #expect(Tombstones(Self.session("12345")).has(anyTextOf: Array(#"{"sessionId":12345}"#.utf8)))
        #expect(Tombstones(.play(Self.id)).has(anyTextOf: Array(#"{"x":"\#(Self.idText.uppercased())"}"#.utf8)))
        let tag = Tombstones(.tag(name: Array("viewer".utf8), value: Array("7".utf8)))
        #expect(tag.has(anyTextOf: Array(#"{"tags":{"viewer" : "7"}}"#.utf8)))
        #expect(!tag.has(anyTextOf: Array(#"{"tags":{"viewer":"8","other":"7"}}"#.utf8)))
    }

    @Test("take a session's reports out of a line, and all of a line whose address names the tag")
    func reports() {
        var line = ReportLine(receivedAt: 1, requestId: Self.id)
        line.reports = ["s1", "s2"].map { CMCDReport(ts: 1, sid: Array($0.utf8), cid: Array("c".utf8)) }
        line.context.tags = Array(#"{"viewer":"7"}"#.utf8)
        var other = line
        #expect(Tombstones(Self.session("s1")).remove(from: &line) == 1)
        #expect(line.reports.map(\.sid) == [Array("s2".utf8)])
        #expect(Tombstones(.tag(name: Array("viewer".utf8), value: Array("7".utf8))).remove(from: &other) == 2)
        #expect(other.context == ReportContext())
    }
}

@Suite("A line of erased plays")
struct ErasedLineTests {
    private static let request = Identifier128(high: 3, low: 4)

    private func text(_ line: ErasedLine) -> String {
        var bytes: [UInt8] = []
        line.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let play =
        #"{"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":1,"endedAt":5,"receivedAt":6,"requestId":"00000000000000030000000000000004"}"#

    @Test("keeps the number of plays, the time, the request and the place, and the lines after it their places")
    func positions() throws {
        var line = ErasedLine(receivedAt: 6, requestId: Self.request, index: 0)
        line.plays = 3
        #expect(
            text(line)
                == #"{"erased":3,"receivedAt":6,"requestId":"00000000000000030000000000000004","index":0}"# + "\n")
        var read = LoggedPlays()
        let lines = [
            text(line).dropLast() + "", Self.play,
            #"{"erased":1,"repeat":true,"receivedAt":6,"requestId":"00000000000000030000000000000004"}"#, Self.play,
        ]
        for text in lines { try read.append(line: Array(text.utf8).span.bytes) }
        #expect(read.entries.map(\.index) == [0, 3, 4, 5])
        #expect(read.entries[0].kind == .erased(plays: 3, isRepeat: false))
        #expect(read.entries[2].kind == .erased(plays: 1, isRepeat: true))
        #expect(read.entries.allSatisfy { $0.requestId == Self.request && $0.receivedAt == 6 })
    }

    @Test("is refused without a request, and with a number that no line can stand for")
    func faults() {
        for text in [
            #"{"erased":1,"receivedAt":6}"#,
            #"{"erased":0,"receivedAt":6,"requestId":"00000000000000030000000000000004"}"#,
            #"{"erased":9999999999,"receivedAt":6,"requestId":"00000000000000030000000000000004"}"#,
        ] {
            var read = LoggedPlays()
            #expect(throws: LineError.self, "\(text)") {
                try read.append(line: Array(text.utf8).span.bytes)
            }
        }
    }

    @Test("counts in the quarantine as the event that was rejected, without its bytes")
    func quarantine() throws {
        var line = ErasedLine(receivedAt: 6, requestId: Self.request, index: 2)
        line.code = "missing"
        let bytes = Array(text(line).utf8.dropLast())
        let parsed = try QuarantineLine.parse(bytes.span.bytes)
        #expect(parsed.isErased && parsed.code == "missing" && parsed.index == 2 && parsed.raw.isEmpty)
    }

    @Test("in the log of reports says what time it was, and no more")
    func reports() throws {
        let line = ErasedLine(receivedAt: 6, requestId: Self.request, index: nil)
        let bytes = Array(text(line).utf8.dropLast())
        let parsed = try ReportLine.parse(bytes.span.bytes)
        #expect(parsed == ReportLine(receivedAt: 6, requestId: Self.request))
    }
}
