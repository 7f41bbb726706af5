internal import Platform

/// The `Date` of a response, written anew at most once a second.
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
        let date = CivilDate(daysSince1970: day)
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][day % 7]
        let name = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ][date.month - 1]
        let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(weekday), \(date.day.padded(to: 2)) \(name) \(date.year.padded(to: 4)) \(time) GMT"
    }
}
