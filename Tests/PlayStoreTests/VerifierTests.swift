import PlayStore
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

    @Test("finds a damaged page")
    func damage() throws {
        let fixture = try filled()
        try fixture.damageDatabase()
        let result = try StoreVerifier.run(data: fixture.data)
        #expect(result.findings.contains { if case .damaged = $0 { true } else { false } })
    }
}
