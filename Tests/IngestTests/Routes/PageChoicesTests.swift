import Ingest
import PlayStore
import Synchronization
import TestSupport
import Testing

@Suite("What a page offers to filter by")
struct PageChoicesTests {
    /// A wall clock that the test moves.
    private final class Clock: Sendable {
        private let milliseconds = Atomic<Int64>(DataFolder.morning)
        var now: Int64 { milliseconds.load(ordering: .relaxed) }
        func go(seconds: Int64) { milliseconds.add(seconds * 1_000, ordering: .relaxed) }
    }

    @Test("is asked of the store once a minute, however many pages are made")
    func kept() throws {
        let (clock, record) = (Clock(), RecordingStore.Record())
        let running = try RunningServer(now: { clock.now }) { configuration, _ in
            configuration.store = StubbedStore(reports: { store, data in
                RecordingStore(store: try store.reports(data), record: record)
            })
        }
        func post(_ cdn: String) throws {
            let body = SampleBatch.body([SampleBatch.event(SampleBatch.newId(), #""cdn":"\#(cdn)""#)])
            #expect(try running.connect().post("/v1/playback-events", Array(body.utf8)).status == 202)
            try running.server.waitForFollower()
        }
        func page(_ query: String = "") throws -> String {
            let page = try running.connect().get("/" + query)
            #expect(page.status == 200)
            return page.text
        }
        try post("first")
        #expect(try page().contains(#"<option value="cdn=first""#))
        let asked = record.count("values")
        #expect(asked > 0)
        try post("second")
        for query in ["", "?by=cdn", "?last=1h"] { _ = try page(query) }
        clock.go(seconds: 59)
        #expect(try !page().contains(#"<option value="cdn=second""#))
        #expect(record.count("values") == asked)
        clock.go(seconds: 1)
        #expect(try page().contains(#"<option value="cdn=second""#))
        #expect(record.count("values") == 2 * asked)
        // A clock that is set back keeps nobody from asking.
        clock.go(seconds: -3_600)
        _ = try page()
        #expect(record.count("values") == 3 * asked)
    }
}
