import Archive
import Ingest
import PlaybackEvents
import PlayStore
import Reports
import TestSupport
import Testing

@Suite("A page that can't be made")
struct RefusedPageTests {
    /// The embedded store, of which every report takes too long.
    private struct Impatient: StoreChoice {
        private let store = EmbeddedChoice()

        func reports(_ data: DataPaths, patience: Duration?) throws -> any ReportStore {
            throw SQLiteStoreError.outOfPatience
        }

        func open(
            _ data: DataPaths, node: NodeName, onNotice: @escaping @Sendable (FollowerNotice) -> Void
        ) throws -> any Store {
            try store.open(data, node: node, onNotice: onNotice)
        }

        func rebuild(
            _ data: DataPaths, node: NodeName?, takesOver: Bool, follower following: FollowerConfiguration,
            progress: (FollowerStatus) -> Void
        ) throws -> StoreTotals {
            try store.rebuild(data, node: node, takesOver: takesOver, follower: following, progress: progress)
        }

        func remembered(_ data: DataPaths) throws(FileError) -> RememberedDirectory { try store.remembered(data) }
        func unarchivedPlays(_ data: DataPaths) throws -> Int64? { try store.unarchivedPlays(data) }
        func positions(_ data: DataPaths) throws -> LogPositions { try store.positions(data) }

        func verify(_ data: DataPaths, progress: (Int64) -> Void) throws -> StoreVerification {
            try store.verify(data, progress: progress)
        }

        func prune(
            _ data: DataPaths, before day: Int64, onNotice: @escaping @Sendable (FollowerNotice) -> Void,
            progress: (Int64) -> Void
        ) throws -> Int64 {
            try store.prune(data, before: day, onNotice: onNotice, progress: progress)
        }

        func countErasable(_ data: DataPaths, _ target: ErasureTarget) throws -> Int64 {
            try store.countErasable(data, target)
        }

        func database(_ data: DataPaths) -> String { store.database(data) }
        func name(_ data: DataPaths) -> String? { store.name(data) }
        var isShared: Bool { store.isShared }
    }

    @Test("because its time is over says so as a page, and a table in words for programs")
    func tooLong() throws {
        let running = try RunningServer(now: { 1_795_953_600_000 }) { configuration, _ in
            configuration.store = Impatient()
        }
        let page = try running.connect().get("/?by=cdn")
        #expect(page.status == 503)
        #expect(page.fields["retry-after"] != nil)
        #expect(page.fields["content-type"] == "text/html; charset=utf-8")
        #expect(page.fields["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(page.text.contains("the report takes too long: ask for fewer days or groups"))
        let table = try running.connect().get("/v1/reports/summary.csv")
        #expect(table.status == 503)
        #expect(table.text.contains(#""message":"the report takes too long"#))
    }

    @Test(
        "of plays says so as a page, and leads home with the key",
        arguments: [
            ("/plays?worst=slow&key=k", 400, "./?key=k"), ("/session/nobody", 404, "../"), ("/play/", 404, "../"),
            ("/session/a/b", 404, "../../"),
        ])
    func plays(path: String, status: Int, home: String) throws {
        let running = try RunningServer()
        let page = try running.connect().get(path)
        #expect(page.status == status)
        #expect(page.fields["content-type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("<h1>No report</h1>") && page.text.contains("<a href=\"\(home)\">"))
    }

    @Test("because of what was asked for says what would be right, as a page that runs nothing of the words")
    func words() throws {
        let running = try RunningServer()
        let page = try running.connect().get("/?by=%3Cscript%3E")
        #expect(page.status == 400)
        #expect(page.fields["content-type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("&lt;script&gt;") && !page.text.contains("<script>"))
    }
}
