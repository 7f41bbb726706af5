import Testing

@testable import Reports

@Suite("The calendar")
struct CalendarTests {
    @Test("reads days that exist, and no others")
    func days() {
        #expect(CalendarDay("2026-11-29")?.number == 20_786)
        #expect(CalendarDay("1970-01-01")?.number == 0)
        #expect(CalendarDay("2024-02-29")?.description == "2024-02-29")
        for text in [
            "2026-02-29", "2026-13-01", "2026-1-1", "2026-11-31", "20261129", "2026-11-29T00", "+026-11-29", "",
        ] {
            #expect(CalendarDay(text) == nil, "\(text)")
        }
        var day = CalendarDay(number: -200_000)
        while day.number < 60_000 {
            #expect(CalendarDay(day.description) == day)
            day = day.advanced(by: 367)
        }
    }

    @Test("cuts days of 23 and 25 hours where clocks change")
    func stockholm() throws {
        let zone = try ReportZone(named: "Europe/Stockholm")
        func hours(_ text: String) throws -> Int64 {
            let day = try #require(CalendarDay(text))
            return (zone.start(of: day.advanced(by: 1)) - zone.start(of: day)) / 3_600_000
        }
        #expect(try hours("2026-03-29") == 23)
        #expect(try hours("2026-10-25") == 25)
        #expect(try hours("2026-10-26") == 24)
    }

    @Test("begins a day without a midnight where its first hour begins")
    func cairo() throws {
        let zone = try ReportZone(named: "Africa/Cairo")
        // Clocks go from 00:00 to 01:00 on the last Friday of April.
        let day = try #require(CalendarDay("2026-04-24"))
        let start = zone.start(of: day)
        #expect(zone.day(of: start) == day)
        #expect(zone.day(of: start - 1) == day.advanced(by: -1))
        #expect(LocalHour(of: start, offset: zone.offset(at: start)).label == "2026-04-24T01:00+03:00")
    }

    @Test("names the full local hour with the play's offset, where clocks move by half an hour too")
    func lordHowe() throws {
        let zone = try ReportZone(named: "Australia/Lord_Howe")
        // At 2026-04-04T15:00Z clocks go from 02:00+11:00 to 01:30+10:30.
        let change: Int64 = 1_775_314_800_000
        let labels = [-1, 0, 29 * 60_000, 30 * 60_000].map { step -> String in
            let instant = change + step
            return LocalHour(of: instant, offset: zone.offset(at: instant)).label
        }
        #expect(
            labels == [
                "2026-04-05T01:00+11:00", "2026-04-05T01:00+10:30", "2026-04-05T01:00+10:30", "2026-04-05T02:00+10:30",
            ])
    }

    @Test("reads the hours that it prints, from text and from the code that queries group by")
    func hours() {
        for (wall, offset) in [(0, 0), (1_795_950_000_000, 20_700_000), (1_795_950_000_000, -12_600_000)] {
            let hour = LocalHour(wallClock: Int64(wall) / 3_600_000 * 3_600_000, offset: Int64(offset))
            #expect(LocalHour(label: hour.label) == hour)
            #expect(LocalHour(code: hour.code) == hour)
        }
        for text in ["2026-11-29T20:30+01:00", "2026-11-29T24:00+01:00", "2026-11-29 20:00+01:00", "2026-11-29T20:00Z"]
        {
            #expect(LocalHour(label: text) == nil)
        }
    }

    @Test("says which zone was not known, and which was meant")
    func unknownZone() {
        let error = #expect(throws: ReportRequestError.self) { try ReportZone(named: "Europe/Stokholm") }
        #expect(error?.description == "unknown time zone 'Europe/Stokholm': did you mean 'Europe/Stockholm'?")
    }

    @Test("takes no abbreviation that several zones share, and those that the time zone database has")
    func abbreviations() throws {
        for name in ["BST", "IST", "CST", "PST"] {
            let error = #expect(throws: ReportRequestError.self) { try ReportZone(named: name) }
            #expect(error?.description.hasPrefix("'\(name)' may be several time zones: a name such as") == true)
        }
        for name in ["UTC", "GMT", "CET", "EST"] { _ = try ReportZone(named: name) }
    }
}
