import PlayStore
import StoreTestSupport
import Testing

@Suite("A repeat conflicts with the first")
struct ConflictTests {
    private static let full = #"""
        "startupMs":400,"avgBitrate":2000000,"error":"timeout","sessionId":"s1","ageMs":5,"endedAt":1795948190000,
        "bytes":1000,"memoryBytes":7,"waitedMs":8,"accessLogStartupMs":9,"attempt":2,"playerStalls":3,"playerStalledMs":900,"cdn":"fastly","cdnRegion":"eu",
        "network":"wifi","source":"stream","appVersion":"1","osVersion":"2","deviceModel":"3","player":"4",
        "tags":{"a":"x","b":"y"}
        """#

    private func totals(
        _ first: String, _ second: String, regions: (String?, String?) = (nil, nil), dictionaryBytes: Int = 16 << 20
    ) throws -> StoreTotals {
        let fixture = try StoreFixture()
        fixture.store.dictionaryBytes = dictionaryBytes
        try fixture.receive(first, region: regions.0)
        try fixture.load()
        try fixture.receive(second, region: regions.1)
        let totals = try fixture.load()
        #expect(totals.loaded == 1)
        #expect(totals.duplicates == 1)
        return totals
    }

    private func body(_ fields: String, context: String = "") -> String {
        #"{"context":{\#(context)},"events":[\#(event(id: firstId, fields))]}"#
    }

    @Test(
        "when any known field differs",
        arguments: [
            ("\"startupMs\":400", "\"startupMs\":401"), ("\"avgBitrate\":2000000", "\"avgBitrate\":2000001"),
            ("\"timeout\"", "\"timeouts\""), ("\"s1\"", "\"s2\""), ("1795948190000", "1795948190001"),
            ("\"bytes\":1000", "\"bytes\":null"), ("\"memoryBytes\":7", "\"memoryBytes\":6"),
            ("\"waitedMs\":8", "\"waitedMs\":0"), ("\"accessLogStartupMs\":9", "\"accessLogStartupMs\":8"),
            ("\"playerStalls\":3", "\"playerStalls\":0"), ("\"playerStalledMs\":900", "\"playerStalledMs\":null"),
            ("\"attempt\":2", "\"attempt\":3"), ("\"fastly\"", "\"akamai\""), ("\"eu\"", "\"us\""),
            ("\"wifi\"", "null"),
            ("\"stream\"", "\"download\""), ("\"appVersion\":\"1\"", "\"appVersion\":\"2\""),
            ("\"osVersion\":\"2\"", "\"osVersion\":null"), ("\"deviceModel\":\"3\"", "\"deviceModel\":\"4\""),
            ("\"player\":\"4\"", "\"player\":\"3\""), ("\"x\"", "\"z\""), ("\"b\"", "\"c\""),
        ])
    func differences(old: String, new: String) throws {
        let other = Self.full.replacing(old, with: new)
        #expect(other != Self.full)
        #expect(try totals(body(Self.full), body(other)).conflicts == 1)
    }

    @Test("not when it says the same in another way, or only the age differs")
    func sameContent() throws {
        #expect(
            try totals(body(Self.full), body(Self.full.replacing("\"ageMs\":5", with: "\"ageMs\":900"))).conflicts == 0)
        let session = #""sessionId":"s1""#
        #expect(try totals(body(session + #","attempt":1"#), body("", context: session)).conflicts == 0)
        let one = #""tags":{"a":"x","b":"y"}"#
        let two = #""tags":{"b":"y","a":"x"}"#
        #expect(try totals(body(one), body(two)).conflicts == 0)
    }

    @Test("not when the proxy's header names another region, but when the client does")
    func regions() throws {
        #expect(try totals(body(""), body(""), regions: ("eu", "us")).conflicts == 0)
        #expect(try totals(body(""), body(""), regions: ("eu", nil)).conflicts == 0)
        #expect(try totals(body(""), body(#""cdnRegion":"us""#), regions: ("us", nil)).conflicts == 1)
        #expect(try totals(body(#""cdnRegion":"us""#), body("", context: #""cdnRegion":"us""#)).conflicts == 0)
    }

    @Test("not when the dictionaries' caches have forgotten its texts")
    func forgottenTexts() throws {
        #expect(try totals(body(Self.full), body(Self.full), dictionaryBytes: 0).conflicts == 0)
        let other = Self.full.replacing("\"player\":\"4\"", with: "\"player\":\"5\"")
        #expect(try totals(body(Self.full), body(other), dictionaryBytes: 0).conflicts == 1)
    }
}
