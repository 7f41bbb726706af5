internal import PlaybackEvents
internal import Reports

/// How a group stands to a level in a window that has just ended.
struct LevelReading: Codable, Sendable, Equatable {
    enum Verdict: String, Codable, Sendable {
        /// The figure is on the right side.
        case good
        /// Neither is shown: the interval reaches to both sides, or there are too few plays to say that any are missed.
        case unclear
        /// All of the interval is on the wrong side, or plays are missing that should be there.
        case failing
    }

    /// The same for the same text of a level and the same group, for ever.
    var key: String
    /// The level's name.
    var level: String
    /// Its line in the file.
    var text: String
    /// A JSON object.
    var group: String
    var verdict: Verdict
    var value: Double?
    var low: Double?
    var high: Double?
    var plays: Int64
    /// The window, ms since 1970.
    var from: Int64
    var to: Int64
    /// For how long it has to fail before anybody is told, in ms.
    var patience: Int64
    /// The page with these plays.
    var link: String

    /// A group without plays in a window is missed where the seven days before let so many expect.
    static let missedPlays: Int64 = 50

    init(
        key: String, level: String, text: String, group: String = "{}", verdict: Verdict, value: Double? = nil,
        plays: Int64 = 0,
        window: Range<Int64>, patience: Int64 = 0, link: String = ""
    ) {
        self.key = key
        self.level = level
        self.text = text
        self.group = group
        self.verdict = verdict
        self.value = value
        self.plays = plays
        (from, to) = (window.lowerBound, window.upperBound)
        self.patience = patience
        self.link = link
    }

    /// - Parameters:
    ///   - startedAt: since when plays have been taken without a break, ms since 1970: before that none are missed.
    ///   - base: where the server's reports are.
    init(_ result: ServiceLevelResult, window: Range<Int64>, startedAt: Int64, base: String) {
        self.init(
            key: Self.key(result), level: result.level.name, text: result.level.text, group: result.group,
            verdict: Self.verdict(result, window, startedAt), value: result.value, plays: result.plays, window: window,
            patience: result.level.patience?.milliseconds ?? 0, link: result.link(from: base))
        (value, low, high) = (Self.finite(result.value), Self.finite(result.low), Self.finite(result.high))
    }

    /// JSON has no word for an end that is nowhere.
    private static func finite(_ number: Double?) -> Double? { number.flatMap { $0.isFinite ? $0 : nil } }

    /// SHA-256 of the level's text, LF, and the group.
    private static func key(_ result: ServiceLevelResult) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = SHA256.digest("\(result.level.text)\n\(result.group)".utf8).bytes
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func verdict(
        _ result: ServiceLevelResult, _ window: Range<Int64>, _ startedAt: Int64
    ) -> Verdict {
        switch result.outcome {
        case .kept: return .good
        case .broken: return .failing
        case .uncertain: return result.isFigureGood ? .good : .unclear
        case .noPlays:
            let week: Int64 = 7 * 86_400_000
            let expected = Double(result.playsBefore) * Double(window.count) / Double(week)
            return startedAt <= window.lowerBound && expected >= Double(missedPlays) ? .failing : .unclear
        }
    }

    /// What the webhook gets.
    func message(_ state: String, since: Int64) -> String {
        var body = JSONText()
        body.add("key", key)
        body.add("state", state)
        body.add("level", level)
        body.addRaw("group", group)
        body.addRaw("value", ServiceLevelResult.json(value))
        body.addRaw("low", ServiceLevelResult.json(low))
        body.addRaw("high", ServiceLevelResult.json(high))
        body.addRaw("plays", "\(plays)")
        body.addRaw("from", "\(from)")
        body.addRaw("to", "\(to)")
        body.addRaw("since", "\(since)")
        body.add("url", link)
        return body.closed
    }
}
