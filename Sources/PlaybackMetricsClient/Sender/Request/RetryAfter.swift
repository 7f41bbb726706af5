import Foundation

/// The header `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
    /// How long the server asks to wait; `nil` when it does not say, or nothing that makes sense.
    ///
    /// - Parameters:
    ///   - value: the header.
    ///   - date: the answer's own `Date`: against it a date is right even where the device's clock is not.
    ///   - now: the device's clock, for an answer without `Date`.
    static func duration(_ value: String?, date: String?, now: () -> Date) -> Duration? {
        guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
        if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // More digits than any number has ask for very long.
            return .seconds(Int64(value) ?? Int64(Int32.max))
        }
        guard let until = parse(value) else { return nil }
        let seconds = until.timeIntervalSince(date.flatMap(parse) ?? now())
        guard seconds.isFinite else { return nil }
        return .seconds(min(max(seconds, 0), Double(Int32.max)))
    }

    /// A date in any of the three forms that HTTP knows.
    static func parse(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        for format in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
