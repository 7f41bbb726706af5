import Testing

@testable import CommandLineTool

@Suite("A progress bar")
struct ProgressBarTests {
    private func line(_ done: Int, of total: Int, after seconds: Int) -> String {
        ProgressBar.line("loading", "plays", done: done, of: total, after: .seconds(seconds))
    }

    @Test("says how far it is, how fast, and for how long it goes on")
    func middle() {
        #expect(line(500, of: 2_000, after: 10) == "loading ██████·················· 25 %, 50 plays/s, 30 s left")
    }

    @Test("says nothing of the end before it knows a rate")
    func beginning() {
        #expect(line(0, of: 2_000, after: 10) == "loading ························ 0 %, 0 plays/s")
        #expect(line(0, of: 2_000, after: 0) == "loading ························ 0 %, 0 plays/s")
    }

    @Test("is full when more is done than was expected, or nothing was")
    func full() {
        let bar = String(repeating: "█", count: 24)
        #expect(line(3_000, of: 2_000, after: 3_000) == "loading \(bar) 100 %, 1 plays/s, 0 s left")
        #expect(line(5, of: 0, after: 5) == "loading \(bar) 100 %, 1 plays/s, 0 s left")
    }
}
