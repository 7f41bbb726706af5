/// The `Date` of an answer, written anew at most once a second.
struct HTTPDate {
    private var second: Int64?
    private(set) var text: [UInt8] = []

    /// Brings the text to that time, in seconds since 1970.
    mutating func move(to now: Int64) {
        if now == second { return }
        second = now
        text = Array(Self.format(now).utf8)
    }

    /// RFC 9110, 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func format(_ now: Int64) -> String {
        // Years of four digits; a clock further off is no clock.
        let now = min(max(now, 0), 253_402_300_799)
        let day = Int(now / 86_400)
        let second = Int(now % 86_400)
        let (year, month, dayOfMonth) = civil(day)
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][day % 7]
        let name = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ][month - 1]
        let time = "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
        return "\(weekday), \(two(dayOfMonth)) \(name) \(two(year / 100))\(two(year % 100)) \(time) GMT"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// Year, month and day of the month of a day since 1970, counting years from March so that a leap day is their
    /// last.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let sinceMarch0 = day + 719_468
        let era = sinceMarch0 / 146_097
        let dayOfEra = sinceMarch0 % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfMonth)
    }
}
