import Ingest
import PlayStore
import SQLite
import Testing

@Suite("A request that fails on the server")
struct RequestFailureTests {
    private struct Odd: Error {}

    @Test("is 500 unless its cause passes by itself, and only damage is called damage")
    func statuses() {
        func sqlite(_ code: Int32) -> SQLiteError {
            SQLiteError(code: code, message: "words of SQLite", statement: "SELECT 'a client''s text'")
        }
        let expected: [(any Error, Int, String)] = [
            (Odd(), 500, "internal_error"),
            (sqlite(5), 503, "unavailable"), (sqlite(9), 503, "unavailable"), (sqlite(10), 500, "internal_error"),
            (sqlite(11), 500, "database_damaged"), (sqlite(26), 500, "database_damaged"),
            (SQLiteStoreError.outOfPatience, 503, "unavailable"),
            (SQLiteStoreError.changed(path: "p"), 503, "unavailable"),
            (SQLiteStoreError.missing(path: "p"), 500, "database_damaged"),
            (SQLiteStoreError.foreign(path: "p", reason: "r"), 500, "database_damaged"),
            (SQLiteStoreError.unreadable(path: "p", sqlite(5)), 503, "unavailable"),
            (SQLiteStoreError.unreadable(path: "p", sqlite(14)), 500, "internal_error"),
            (SQLiteStoreError.denied(path: "p", reason: "r"), 500, "internal_error"),
        ]
        for (error, status, word) in expected {
            let failure = RequestFailure(error)
            #expect(failure.status == status && failure.word == word, "\(error)")
            #expect(failure.isDamage == (word == "database_damaged"))
            #expect(!failure.reason.isEmpty && !failure.reason.contains("client"))
        }
    }

    @Test("is logged with its cause, and a line a minute when it fails again and again")
    func log() {
        let lines = RunningServer.LogLines()
        let log = FailureLog(log: EventLog(now: { 0 }, write: lines.add))
        let start = ContinuousClock.now
        for second in 0..<130 { log.note(RequestFailure(Odd()), of: "page", at: start + .seconds(second)) }
        log.note(RequestFailure(SQLiteStoreError.outOfPatience), of: "page", at: start)
        let text = lines.text.split(separator: "\n")
        #expect(text.count == 4)
        #expect(text.first?.contains(#""level":"error","event":"request failed","of":"page","status":"500""#) == true)
        #expect(text.map { $0.contains(#""heldBack":"59""#) } == [false, true, true, false])
        #expect(text.last?.contains(#""level":"warning""#) == true)
    }
}
