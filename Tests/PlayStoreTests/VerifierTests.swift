import Archive
import Foundation
import PlayStore
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("The verifier")
struct VerifierTests {
    private func filled() throws -> StoreFixture {
        let fixture = try StoreFixture()
        for round in 0..<5 {
            try fixture.receive(
                events: [event(id: firstId), event(id: secondId, #""ageMs":\#(round)"#), event(), "{}"],
                at: StoreFixture.halfPastTen + Int64(round) * 1_000)
        }
        try fixture.load()
        return fixture
    }

    @Test("finds nothing wrong with a database that is all right, and sees whether it is at the end")
    func allRight() throws {
        let fixture = try filled()
        var result = try StoreVerifier.run(data: fixture.data)
        #expect(result.findings == [])
        #expect(result.isAtEnd)
        #expect(result.totals.loaded == 7)
        try fixture.receive(events: [event()])
        result = try StoreVerifier.run(data: fixture.data)
        #expect(result.findings == [])
        #expect(!result.isAtEnd)
    }

    @Test("names a play that the archive has and the database lacks")
    func missingPlay() throws {
        let fixture = try filled()
        try fixture.write("DELETE FROM prompt_plays WHERE arrival = 2")
        let result = try StoreVerifier.run(data: fixture.data)
        #expect(
            result.findings.contains(
                .missing(playId: secondId, hour: StoreFixture.halfPastTen / StoreFixture.hour)))
        #expect(result.findings.contains(.differs(what: "rows of plays", expected: 7, found: 6)))
    }

    @Test(
        "finds counts that do not add up",
        arguments: [
            "UPDATE totals SET duplicates = duplicates + 1", "UPDATE totals SET unloadable = 1", "DELETE FROM hours",
            "DELETE FROM rejections", "DELETE FROM repeats", "UPDATE totals SET accounts = 1",
            "UPDATE log_places SET segment = 0, offset = 0 WHERE log = 'plays'",
        ])
    func counts(change: String) throws {
        let fixture = try filled()
        try fixture.write(change)
        #expect(try StoreVerifier.run(data: fixture.data).count > 0)
    }

    @Test(
        "names the play and the column of every value that differs from its line",
        arguments: [
            ("startup_ms", "startup_ms + 1"), ("stalls", "NULL"), ("watched_ms", "watched_ms * 1.5"),
            ("avg_bitrate", "avg_bitrate - 1"), ("bytes", "0"), ("flags", "flags + 1"), ("ended_ms", "ended_ms + 1"),
            ("lag_ms", "lag_ms - 1"), ("waited_ms", "5"), ("memory_bytes", "memory_bytes + 4096"), ("attempt", "2"),
            ("access_log_startup_ms", "1"), ("clock_lead_ms", "7"), ("player_stalls", "1"), ("player_stalled_ms", "3"),
        ])
    func values(column: String, value: String) throws {
        let fixture = try filledWithTexts()
        try fixture.write("UPDATE prompt_plays SET \(column) = \(value) WHERE arrival = 2")
        try expectFinding("play \(secondId) of UTC hour 498874 since 1970: \(column) is ", in: fixture)
    }

    @Test(
        "names the play and the column of every text that differs from its line",
        arguments: [
            ("video_id", "UPDATE videos SET video_id = 'clip-3' WHERE video_id = 'clip-2'"),
            ("error_code", "UPDATE errors SET error_code = 'x'"),
            ("tags", "UPDATE tag_sets SET tags = '{\"a\":\"c\"}'"),
            ("cdn", "UPDATE deliveries SET cdn = 'fastly2'"), ("cdn_region", "UPDATE deliveries SET cdn_region = NULL"),
            ("network", "UPDATE deliveries SET network = 'wify'"),
            ("source", "UPDATE deliveries SET source = 'strean'"),
            ("region_from", "UPDATE deliveries SET region_from = 2"),
            ("session_id", "UPDATE runs SET session_id = 's2'"), ("player", "UPDATE devices SET player = 'AVPlayes'"),
            ("app_version", "UPDATE devices SET app_version = CAST(app_version AS BLOB)"),
            ("cdn, cdn_region, network, source", "DELETE FROM deliveries"),
        ])
    func texts(column: String, change: String) throws {
        let fixture = try filledWithTexts()
        try fixture.write(change)
        try expectFinding("play \(secondId) of UTC hour 498874 since 1970: ", in: fixture)
        let isDevice = change.contains("BLOB")
        try expectFinding(isDevice ? "app_version, " : ": \(column) is ", in: fixture)
    }

    @Test(
        "finds whatever else is not what the archive says",
        arguments: [
            ("sender's account 1: made is 8, should be 7", "UPDATE sender_accounts SET made = 8"),
            ("sender's account 1: sender_id", "UPDATE senders SET sender_id = 'other'"),
            ("sender's account 1: arrivals is 1, should be 2", "UPDATE sender_accounts SET arrivals = 1"),
            ("sender's account 1: stored is 3, should be 2", "UPDATE sender_accounts SET stored = 3"),
            ("sender's account 1: contexts is 77, should be ", "UPDATE sender_accounts SET contexts = 77"),
            ("sender's account 1 is in the archive", "DELETE FROM sender_accounts"),
            ("hour 498874: last_arrival is 1, should be 2", "UPDATE hours SET last_arrival = 1"),
            ("hour 498874: last_received_at", "UPDATE hours SET last_received_at = last_received_at + 1"),
            ("hour 498875: plays is 2, should be 0", "UPDATE hours SET hour = hour + 1"),
            ("498874: missing", "UPDATE rejections SET code = 'wrong_type'"),
            ("498874: wrong_type", "UPDATE rejections SET code = 'wrong_type'"),
            ("repeats received in hour 498874: conflicts", "UPDATE repeats SET conflicts = 1"),
            ("receipt_dated_plays.hour is 7, should be 498874", "UPDATE receipt_dated_plays SET hour = 7"),
            ("plays dated by their receipt alone: 2, should be 1", "INSERT INTO receipt_dated_plays VALUES (x'00', 1)"),
            ("later arrival than any line of it", "UPDATE prompt_plays SET arrival = 9 WHERE arrival = 2"),
            ("no line of the archive has made the row", "UPDATE prompt_plays SET arrival = 9 WHERE arrival = 2"),
            ("view plays is not defined as", "DROP VIEW plays; CREATE VIEW plays AS SELECT * FROM play_rows"),
            ("table errors is not defined as", "ALTER TABLE errors ADD COLUMN more INTEGER"),
        ])
    func others(words: String, change: String) throws {
        let fixture = try filledWithTexts()
        try fixture.write(change)
        try expectFinding(words, in: fixture)
    }

    @Test("names what differs in a database of layout 1 that was raised", arguments: [false, true])
    func raised(isChanged: Bool) throws {
        let folder = try TemporaryFolder()
        let data = DataPaths(folder.path("data"))
        let kept = Checkout.root.appendingPathComponent("Tests/Fixtures/data-0.1.0").path
        try FileManager.default.copyItem(atPath: kept, toPath: data.root)
        _ = try SQLiteStore(data: data)
        if isChanged {
            try SQLiteConnection(path: data.database, mode: .readWrite).execute(
                "UPDATE prompt_plays SET watched_ms = watched_ms + 1 WHERE arrival = (SELECT min(arrival) FROM prompt_plays)"
            )
        }
        let findings = try StoreVerifier.run(data: data).findings.map(\.description)
        #expect(
            isChanged ? findings.count == 1 && findings[0].contains(": watched_ms is ") : findings == [], "\(findings)")
    }

    private func filledWithTexts() throws -> StoreFixture {
        let fixture = try StoreFixture()
        let texts =
            #""videoId":"clip-2","stalls":1,"stalledMs":300,"watchedMs":20000,"startupMs":400,"avgBitrate":2000000"#
            + #","error":"E#1","tags":{"a":"b"},"cdn":"fastly","cdnRegion":"eu","network":"wifi","source":"stream""#
            + #","sessionId":"s1","appVersion":"5","osVersion":"17","deviceModel":"iPhone","player":"AVPlayer","memoryBytes":9"#
        let sender = #""sender":{"senderId":"device","sequence":0,"made":7,"dropped":0,"rejected":0}"#
        try fixture.receive(
            #"{\#(sender),"events":[\#(event(id: firstId)),{"playId":"\#(secondId)","ageMs":5,\#(texts)},{}]}"#)
        try fixture.receive(events: [event(id: firstId)])
        try fixture.load()
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
        return fixture
    }

    private func expectFinding(_ words: String, in fixture: StoreFixture) throws {
        let findings = try StoreVerifier.run(data: fixture.data).findings.map(\.description)
        #expect(findings.contains { $0.contains(words) }, "\(findings)")
    }

    @Test("finds a damaged page")
    func damage() throws {
        let fixture = try filled()
        try fixture.damageDatabase()
        let result = try StoreVerifier.run(data: fixture.data)
        #expect(result.findings.contains { if case .damaged = $0 { true } else { false } })
    }
}
