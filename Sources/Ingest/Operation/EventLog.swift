internal import Platform

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
        let (days, rest) = Int(ms).quotientAndRemainder(dividingBy: 86_400_000)
        let day = rest < 0 ? days - 1 : days
        let ofDay = Int(ms) - day * 86_400_000
        let time = [ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1_000 % 60].map { $0.padded(to: 2) }
        return "\(CivilDate(daysSince1970: day))T\(time.joined(separator: ":")).\((ofDay % 1_000).padded(to: 3))Z"
    }
}
