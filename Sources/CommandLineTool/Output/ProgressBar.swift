/// A line on standard error that shows how far a long work is, its rate and the time left; silent without a terminal.
package struct ProgressBar {
    private let title: String
    private let unit: String
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    private let isShown: Bool

    /// - Parameter unit: what is counted, such as `plays`.
    package init(_ title: String, unit: String) {
        self.title = title
        self.unit = unit
        start = .now
        last = .now
        isShown = StandardError.isTerminal
    }

    /// Shows that `done` of `total` are finished, at most five times a second.
    package mutating func update(done: Int, of total: Int) {
        let now = ContinuousClock.now
        guard isShown, now - last >= .milliseconds(200) else { return }
        last = now
        StandardError.writeRaw("\r\u{1B}[K" + Self.line(title, unit, done: done, of: total, after: now - start))
    }

    /// Clears the line.
    package func finish() {
        if isShown { StandardError.writeRaw("\r\u{1B}[K") }
    }

    static func line(_ title: String, _ unit: String, done: Int, of total: Int, after elapsed: Duration) -> String {
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
        let filled = Int(share * 24)
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 24 - filled)
        let rate = seconds > 0 ? Double(done) / seconds : 0
        let rest = rate > 0 ? ", \(Int((Double(max(0, total - done)) / rate).rounded(.up))) s left" : ""
        return "\(title) \(bar) \(Int(share * 100)) %, \(Int(rate)) \(unit)/s\(rest)"
    }
}
