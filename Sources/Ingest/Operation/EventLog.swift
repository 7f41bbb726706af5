#if canImport(Glibc)
    import Glibc
#endif

/// The server's log: one JSON object a line on standard error. Nothing of a request's text, key or address goes in.
package struct EventLog: Sendable {
    package enum Level: String, Sendable {
        case info, warning, error
    }

    private let write: @Sendable (String) -> Void
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - now: ms since 1970.
    ///   - write: takes one line without its end.
    package init(now: @escaping @Sendable () -> Int64, write: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.write = write
    }

    /// Writes one line.
    ///
    /// - Parameter event: what happened, in a few words that never change, so that logs can be searched for them.
    package func callAsFunction(_ level: Level, _ event: String, _ facts: KeyValuePairs<String, String> = [:]) {
        var line = JSONText()
        line.add("time", UTCTime.text(ofMs: now()))
        line.add("level", level.rawValue)
        line.add("event", event)
        for (key, value) in facts { line.add(key, value) }
        write(line.closed)
    }
}

/// Times of the log, as RFC 3339 in UTC.
enum UTCTime {
    static func text(ofMs ms: Int64) -> String {
        var seconds = time_t(ms.quotientFloored(by: 1_000))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let fraction = String(1_000 + ms - ms.quotientFloored(by: 1_000) * 1_000).dropFirst()
        return "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(fraction)Z"
    }
}

extension Int64 {
    fileprivate func quotientFloored(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self < quotient * divisor ? quotient - 1 : quotient
    }
}
