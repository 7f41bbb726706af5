import PlayStore
import StoreTestSupport
import Testing

@Suite("The view of plays")
struct ViewTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private func row(_ columns: String) throws -> [String] {
        try fixture.load()
        return try fixture.rows("SELECT \(columns) FROM plays")[0]
    }

    @Test("has every column of a play that says everything")
    func everything() throws {
        let fields = #"""
            "startupMs":412,"avgBitrate":2000000.5,"error":{"domain":"D","code":-1},"sessionId":"S","ageMs":1000,\#
            "bytes":77,"memoryBytes":88,"waitedMs":9,"accessLogStartupMs":400,"attempt":3,"playerStalls":2,"playerStalledMs":70,"cdn":"c","cdnRegion":"r",\#
            "network":"wifi","source":"stream","appVersion":"1","osVersion":"2","deviceModel":"3","player":"4",\#
            "tags":{"b":"2","a":"1"}
            """#
        try fixture.receive(events: [event(id: firstId.uppercased(), fields)])
        let names = """
            day,hour,play_id,session_id,video_id,cdn,cdn_region,network,app_version,os_version,device_model,player,tags,\
            startup_ms,stalls,stalled_ms,watched_ms,avg_bitrate,bytes,bytes_estimated,error_code,waited_ms,memory_bytes,\
            ended_at,received_at,clock_skewed,source,attempt,access_log_startup_ms,player_stalls,player_stalled_ms,ended_by,region_from,arrival,\
            play_id_made
            """
        let ended = StoreFixture.halfPastTen - 1_000
        let expected = [
            "\(ended / 86_400_000)", "\(ended / 3_600_000)", firstId, "S", "v1", "c", "r", "wifi", "1", "2", "3", "4",
            #"{"a":"1","b":"2"}"#, "412", "0", "0", "20000", "2000001", "77", "0", "D#-1", "9", "88", "\(ended)",
            "\(StoreFixture.halfPastTen)", "0", "stream", "3", "400", "2", "70", "NULL", "event", "1", "0",
        ]
        #expect(try row(names) == expected)
        #expect(try row("*") == expected.permuted(from: names, to: fixture.columns(of: "plays")))
    }

    @Test("has NULL for whatever is absent")
    func nothing() throws {
        try fixture.receive(events: [event()])
        let absent = """
            session_id,cdn,cdn_region,network,app_version,os_version,device_model,player,tags,startup_ms,avg_bitrate,bytes,\
            error_code,waited_ms,memory_bytes,source,attempt,access_log_startup_ms,player_stalls,player_stalled_ms,ended_by,region_from
            """
        #expect(try row(absent).allSatisfy { $0 == "NULL" })
        #expect(try row("play_id_made, clock_skewed, bytes_estimated") == ["1", "0", "0"])
        #expect(try row("substr(play_id, 15, 1)") == ["8"])
    }

    @Test(
        "says who named the region",
        arguments: [
            (#"{"events":[EVENT]}"#, "header"), (#"{"context":{"cdnRegion":"x"},"events":[EVENT]}"#, "context"),
        ])
    func regionFrom(body: String, from: String) throws {
        try fixture.receive(body.replacing("EVENT", with: event()), region: "eu")
        #expect(try row("region_from") == [from])
    }

    @Test("says what ended a play that was put together from reports", arguments: ["reported", "silence"])
    func endedBy(ending: String) throws {
        try fixture.append(
            #"{"videoId":"v","stalls":0,"stalledMs":0,"watchedMs":5,"endedAt":1,"endedBy":"\#(ending)","receivedAt":1,"#
                + #""requestId":"00000000000000000000000000000001"}"# + "\n")
        #expect(try row("ended_by, clock_skewed, play_id_made") == [ending, "0", "1"])
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
        try fixture.write("UPDATE prompt_plays SET flags = flags + 16; UPDATE delayed_plays SET flags = flags + 16")
        #expect(try StoreVerifier.run(data: fixture.data).findings.count == 1)
    }

    @Test(
        "gives the bytes sent, else 0 where nothing started, else an estimate half up, else none",
        arguments: [
            (#""bytes":5,"avgBitrate":8000"#, 1_000, "5", "0"),
            (#""bytes":0"#, 1_000, "0", "0"),
            (#""avgBitrate":8000"#, 0, "0", "0"),
            (#""avgBitrate":8000,"startupMs":0"#, 0, "0", "1"),
            (#""avgBitrate":8000"#, 1_000, "1000", "1"),
            (#""avgBitrate":4"#, 1_000, "1", "1"),
            (#""avgBitrate":4"#, 999, "0", "1"),
            (#""avgBitrate":1000000000"#, 86_400_000, "10800000000000", "1"),
            (#""avgBitrate":999999999"#, 86_399_999, "10799999864200", "1"),
            ("", 1_000, "NULL", "0"),
        ])
    func bytes(fields: String, watched: Int, bytes: String, estimated: String) throws {
        try fixture.receive(events: [event(fields, watched: watched)])
        #expect(try row("bytes, bytes_estimated") == [bytes, estimated])
    }

    @Test("adds the largest figures up exactly")
    func exactSums() throws {
        let largest = #""bytes":1099511627776,"memoryBytes":9007199254740992"#
        try fixture.receive(events: (0..<1_000).map { _ in event(largest) })
        try fixture.receive(events: [event(#""bytes":1,"memoryBytes":9007199254740991"#)])
        let sums = try row("sum(bytes), sum(memory_bytes), max(memory_bytes), typeof(sum(bytes))")
        #expect(sums == ["1099511627776001", "9016206453995732991", "9007199254740992", "integer"])
    }

    @Test("places plays before 1970 on their own day")
    func beforeTheEpoch() throws {
        try fixture.receive(events: [event(#""ageMs":1"#), event(#""ageMs":86400001"#)], at: 0)
        try fixture.load()
        #expect(
            try fixture.rows("SELECT day, hour, ended_at FROM plays ORDER BY ended_at DESC") == [
                ["-1", "-1", "-1"], ["-2", "-25", "-86400001"],
            ])
    }

    @Test("keeps texts byte for byte")
    func texts() throws {
        let text = #"a'b\"\\=cmd;DROP TABLE plays--\u2028é😀"#
        try fixture.receive(events: [event(#""cdn":"\#(text)","sessionId":"A","tags":{"t":"\#(text)"}"#)])
        let value = "a'b\"\\=cmd;DROP TABLE plays--\u{2028}é😀"
        #expect(try row("cdn, json_extract(tags, '$.t')") == [value, value])
    }
}

extension [String] {
    /// The same values in another order of their columns.
    fileprivate func permuted(from names: String, to columns: [String]) -> [String] {
        let names = names.split(separator: ",").map(String.init)
        return columns.map { column in names.firstIndex(of: column).map { self[$0] } ?? "no \(column)" }
    }
}
