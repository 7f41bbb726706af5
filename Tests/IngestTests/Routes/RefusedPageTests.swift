import Ingest
import PlayStore
import TestSupport
import Testing

@Suite("A page that can't be made")
struct RefusedPageTests {
    @Test("because its time is over says so as a page, and a table in words for programs")
    func tooLong() throws {
        let running = try RunningServer(now: { 1_795_953_600_000 }) { configuration, _ in
            configuration.store = StubbedStore(reports: { _, _ in throw SQLiteStoreError.outOfPatience })
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
