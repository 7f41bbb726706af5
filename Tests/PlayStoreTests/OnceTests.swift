import PlayStore
import Testing

@Suite("A play is stored once")
struct OnceTests {
    @Test("when it is twice in one batch, and the first stands")
    func inABatch() throws {
        let fixture = try StoreFixture()
        try fixture.receive(events: [
            event(id: firstId, #""startupMs":1"#), event(id: firstId, #""startupMs":2"#), event(id: secondId),
        ])
        let totals = try fixture.load()
        #expect(totals.arrivals == 3)
        #expect(totals.loaded == 2)
        #expect(totals.duplicates == 1)
        #expect(totals.conflicts == 1)
        #expect(
            try fixture.rows("SELECT startup_ms, arrival FROM plays ORDER BY arrival") == [["1", "1"], ["NULL", "3"]])
    }
}
