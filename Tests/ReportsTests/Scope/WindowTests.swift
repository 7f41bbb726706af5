import Testing

@testable import Reports

@Suite("A window of time")
struct WindowTests {
    private static let noon: Int64 = 1_795_953_600_000  // 2026-11-29T12:00Z
    private static let minute: Int64 = 60_000

    private func request(_ change: (inout ReportWords) -> Void, now: Int64 = noon + 34_567) throws -> ReportRequest {
        var words = ReportWords()
        change(&words)
        return try words.request(now: now)
    }

    private func message(_ change: (inout ReportWords) -> Void) -> String? {
        #expect(throws: ReportRequestError.self) { try request(change) }?.description
    }

    private func plays(_ minutes: [Int64]) -> [StoredPlay] {
        minutes.map { minute in
            let time = Self.noon + minute * Self.minute
            return StoredPlay(cdnRegion: "eu", startupMs: 400, watchedMs: 9_000, endedAt: time, receivedAt: time + 9)
        }
    }

    @Test("until now ends with the minute that is under way", arguments: [("15m", 15), ("6h", 360), ("7d", 10_080)])
    func last(_ text: String, _ minutes: Int64) throws {
        let end = Self.noon + Self.minute
        let window = try request { $0.last = text }
        #expect(window.days == .window(end - minutes * Self.minute..<end))
        #expect(window.isUntilNow)
    }

    @Test("begins and ends at times of any distance from UTC, or at days' ends")
    func times() throws {
        let window = Self.noon..<Self.noon + 15 * Self.minute
        #expect(try request { ($0.from, $0.to) = ("2026-11-29T12:00Z", "2026-11-29T12:15Z") }.days == .window(window))
        let stockholm = try request {
            ($0.from, $0.to) = ("2026-11-29T13:00:00+01:00", "2026-11-29T02:15:00.000-10:00")
        }
        #expect(stockholm.days == .window(window))
        let rest = try request {
            ($0.from, $0.to, $0.timeZone) = ("2026-11-29T12:00Z", "2026-11-29", "Europe/Stockholm")
        }
        #expect(rest.days == .window(Self.noon..<Self.noon + 11 * 60 * Self.minute))
        #expect(
            try request { $0.from = "2026-11-29T12:00Z" }.days == .window(Self.noon..<Self.noon + Self.minute))
        let (first, last) = (try #require(CalendarDay("2026-11-01")), try #require(CalendarDay("2026-11-29")))
        #expect(try request { $0.from = "2026-11-01" }.days == .range(first, last))
    }

    @Test("is refused with what would be right")
    func refused() {
        let units = "should be so many minutes, hours or days: 15m, 6h, 7d"
        for text in ["15", "m", "0m", "-5m", "1.5h", "15 m", "99999999999d", "15s", ""] {
            #expect(message { $0.last = text } == "\"\(text)\" \(units)")
        }
        #expect(
            message { ($0.last, $0.day) = ("15m", "today") }
                == "a time until now (last) goes with neither a day nor a range (from, to)")
        #expect(
            message { ($0.from, $0.to) = ("2026-11-29T12:00Z", "2026-11-29T12:00Z") }
                == "the range begins at 2026-11-29T12:00Z, not before its end at 2026-11-29T12:00Z")
        #expect(
            message { $0.from = "2026-11-29T12:00" }
                == "\"2026-11-29T12:00\" should be a day such as 2026-11-29, yesterday or today, or a time such as "
                + "2026-11-29T18:00Z")
        for text in ["2026-11-29T24:00Z", "2026-02-30T12:00Z", "2026-11-29T1:00Z", "2026-11-29T12:00Zx", "T"] {
            #expect(message { $0.from = text } != nil, "\(text)")
        }
        #expect(Moment("2026-11-29T13:00 01:00")?.milliseconds == Self.noon)
    }

    @Test("holds plays from its beginning to before its end, under its name")
    func ends() throws {
        let maker = try PlayTable(plays([-1, 0, 3, 14, 15])).maker
        let window = Self.noon..<Self.noon + 15 * Self.minute
        let table = try maker.table(.summary, ReportRequest(days: .window(window)))
        #expect(table.rows.map { $0[2] } == [.integer(3), .integer(3)])
        #expect(table.rows[0][0] == .text("2026-11-29T12:00Z/2026-11-29T12:15Z"))
        let zone = try ReportZone(named: "Europe/Stockholm")
        let local = try maker.table(.summary, ReportRequest(days: .window(window), zone: zone))
        #expect(local.rows[0][0] == .text("2026-11-29T13:00+01:00/2026-11-29T13:15+01:00"))
        let seconds = try maker.table(.summary, ReportRequest(days: .window(Self.noon - 500..<Self.noon + 1_000)))
        #expect(seconds.rows[0][0] == .text("2026-11-29T11:59:59.500Z/2026-11-29T12:00:01Z"))
    }

    @Test("by day is cut at midnight")
    func byDay() throws {
        let maker = try PlayTable(plays([-12 * 60 - 1, -12 * 60, 0, 1])).maker
        let window = Self.noon - 13 * 60 * Self.minute..<Self.noon + Self.minute
        let table = try maker.table(.summary, ReportRequest(days: .window(window), by: [.day]))
        #expect(table.rows.map { $0[0] } == [.text("2026-11-28"), .text("2026-11-29")])
        #expect(table.rows.map { $0[1] } == [.integer(1), .integer(2)])
    }

    @Test("is set against as long a time just before it")
    func previous() throws {
        let maker = try PlayTable(plays([-16, -15, -1, 0, 1, 14])).maker
        let window = Self.noon..<Self.noon + 15 * Self.minute
        let document = try maker.document(
            [.summary], ReportRequest(days: .window(window)), comparing: ComparisonRequest(.previous))
        let first = try #require(document.comparison?.periods.first?.comparisons.first)
        #expect((first.value, first.reference) == (400, 400))
        let page = try maker.page(ReportRequest(days: .window(window)), isForSentences: true)
        #expect(page.sentences[0] == "No group is shown to be worse than in the same length of time before.")
        let early = Self.noon - 40 * Self.minute..<Self.noon - 16 * Self.minute
        let none = try maker.document(
            [.summary], ReportRequest(days: .window(early)), comparing: ComparisonRequest(.previous))
        #expect(none.comparison?.periods.isEmpty == true)
    }
}
