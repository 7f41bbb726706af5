import Foundation
import Platform
import Testing

@Suite("A civil date")
struct CivilDateTests {
    @Test("is that of the calendar, as far as the Gregorian calendar goes back")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for number in stride(from: -140_000, through: 860_000, by: 97) {
            let date = CivilDate(daysSince1970: number)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            #expect(date == CivilDate(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0))
            #expect(date.daysSince1970 == number)
        }
    }

    @Test("comes after the one before, also across leap days and before the year 0")
    func order() {
        for year in [-401, -400, -1, 0, 1, 1900, 1999, 2000, 2024, 9999] {
            var number = CivilDate(year: year, month: 1, day: 1).daysSince1970
            for month in 1...12 {
                for day in 1...CivilDate.days(inMonth: month, of: year) {
                    let date = CivilDate(year: year, month: month, day: day)
                    #expect(date.daysSince1970 == number && CivilDate(daysSince1970: number) == date)
                    number += 1
                }
            }
            #expect(CivilDate(daysSince1970: number) == CivilDate(year: year + 1, month: 1, day: 1))
        }
    }

    @Test(
        "reads back what it writes",
        arguments: [(0, "1970-01-01"), (-1, "1969-12-31"), (20_786, "2026-11-29"), (-719_528, "0000-01-01")])
    func text(number: Int, text: String) {
        #expect(CivilDate(daysSince1970: number).description == text)
        #expect(CivilDate(text)?.daysSince1970 == number)
    }

    @Test(
        "that no calendar has is none",
        arguments: [
            "2026-02-30", "2026-13-01", "2026-00-10", "2025-02-29", "1900-02-29", "2026-1-01", "2026-01-1x", "",
            "+026-01-01", "20261129", "2026-11-29T00", "2026/11/29", "2026-11-00",
        ])
    func none(text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test("pads numbers with zeros behind the sign, and cuts none")
    func padding() {
        #expect(7.padded(to: 2) == "07" && 0.padded(to: 2) == "00" && 123.padded(to: 2) == "123")
        #expect((-7).padded(to: 4) == "-0007" && Int64.min.padded(to: 2) == "-9223372036854775808")
    }
}
