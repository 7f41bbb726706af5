/// What is known of each level and group from one look to the next, and what the webhook has not been told yet. A value: readings
/// in, deliveries out, without a clock, a file or a thread.
struct AlertBook: Codable, Sendable, Equatable {
    /// A level that a group breaks, or has broken lately.
    struct Alert: Codable, Sendable, Equatable {
        enum Phase: String, Codable, Sendable {
            /// Not broken; kept because of ``resolvedTo`` alone.
            case quiet
            /// Broken, but not for long enough.
            case pending
            case firing
        }

        var phase = Phase.pending
        /// What the last reading said.
        var reading: LevelReading
        /// Broken without a break since then, ms since 1970.
        var since: Int64
        /// Where the last window ended in which it had a figure, or failed without one, ms since 1970.
        var knownTo: Int64?
        /// Where the window ended in which it was last resolved, ms since 1970: plays before it don't fire it again.
        var resolvedTo: Int64?
        /// The webhook gets, or has got, that it fires.
        var isTold = false

        /// It has had no figure for too long.
        func isSilent(at now: Int64) -> Bool { (knownTo ?? reading.to) + AlertBook.longestSilence <= now }
    }

    /// One change of state that the webhook has to be told.
    struct Delivery: Codable, Sendable, Equatable {
        var number: Int64
        var key: String
        var body: String
    }

    /// A change of state, for the log.
    struct Change: Sendable, Equatable {
        enum State: String, Sendable {
            case firing, resolved
        }

        var state: State
        var level: String
        var key: String
    }

    /// By key.
    private(set) var alerts: [String: Alert] = [:]
    /// In the order in which they came up.
    private(set) var deliveries: [Delivery] = []
    private var nextNumber: Int64 = 1

    /// So many deliveries wait at the most. Without room for one an alert keeps its state, and changes it later.
    static let mostDeliveries = 1_000

    /// What fires goes on so long without a figure, in ms: to have none is no better than to be broken, but a group that is
    /// gone for good is nobody's to mend.
    static let longestSilence: Int64 = 7 * 86_400_000

    /// From when on plays count, where a reading's window begins before the end of the one in which the alert was resolved.
    func freshStart(for reading: LevelReading) -> Int64? {
        guard reading.verdict == .failing, let alert = alerts[reading.key], alert.phase != .firing,
            let resolvedTo = alert.resolvedTo, resolvedTo > reading.from
        else { return nil }
        return resolvedTo
    }

    /// Takes what a look at all levels has found.
    ///
    /// - Parameters:
    ///   - readings: one for each level and group. What is said of none goes on as it is, for seven days.
    ///   - levels: the texts of those in force: what fires of others is resolved.
    ///   - unjudged: the texts of those of them that could not be judged: nothing of them changes.
    ///   - now: ms since 1970.
    ///   - tells: whether there is a webhook.
    /// - Returns: what has changed.
    mutating func take(
        _ readings: [LevelReading], of levels: [String], unjudged: Set<String> = [], at now: Int64, tells: Bool
    ) -> [Change] {
        var changes: [Change] = []
        var seen: Set<String> = []
        for reading in readings where seen.insert(reading.key).inserted {
            take(reading, at: now, tells: tells, &changes)
        }
        for (key, alert) in alerts.sorted(by: { $0.key < $1.key }) where !seen.contains(key) {
            var last = alert.reading
            if unjudged.contains(last.text) { continue }
            (last.value, last.low, last.high, last.plays) = (nil, nil, nil, 0)
            if alert.phase != .firing {
                calm(alert, last, at: now)
            } else if !levels.contains(last.text) || alert.isSilent(at: now) {
                resolve(alert, last, tells: tells, &changes)
            }
        }
        return changes
    }

    /// Takes a delivery away that has arrived.
    mutating func remove(delivery number: Int64) {
        deliveries.removeAll { $0.number == number }
    }

    private mutating func take(
        _ reading: LevelReading, at now: Int64, tells: Bool, _ changes: inout [Change]
    ) {
        var alert = alerts[reading.key] ?? Alert(phase: .quiet, reading: reading, since: now)
        let isKnown = reading.value != nil || reading.verdict == .failing
        alert.knownTo = isKnown ? reading.to : alert.knownTo ?? alert.reading.to
        alert.reading = reading
        switch (alert.phase, reading.verdict) {
        case (.quiet, .failing):
            (alert.phase, alert.since) = (.pending, now)
            fire(&alert, at: now, tells: tells, &changes)
        case (.pending, .failing): fire(&alert, at: now, tells: tells, &changes)
        case (.firing, .good): return resolve(alert, reading, tells: tells, &changes)
        case (.firing, .unclear) where alert.isSilent(at: now):
            return resolve(alert, reading, tells: tells, &changes)
        case (.firing, _): tell(&alert, tells: tells)
        case (.quiet, _), (.pending, _): return calm(alert, reading, at: now)
        }
        alerts[reading.key] = alert
    }

    /// Lets an alert fire that has waited for long enough.
    private mutating func fire(_ alert: inout Alert, at now: Int64, tells: Bool, _ changes: inout [Change]) {
        guard now - alert.since >= alert.reading.patience, !tells || hasRoom else { return }
        alert.phase = .firing
        changes.append(Change(state: .firing, level: alert.reading.level, key: alert.reading.key))
        tell(&alert, tells: tells)
    }

    /// Says once that an alert fires; one that has fired before there was a webhook is told when there is one.
    private mutating func tell(_ alert: inout Alert, tells: Bool) {
        guard tells, !alert.isTold, hasRoom else { return }
        alert.isTold = true
        add(.firing, alert)
    }

    private mutating func resolve(
        _ alert: Alert, _ reading: LevelReading, tells: Bool, _ changes: inout [Change]
    ) {
        var alert = alert
        alert.reading = reading
        let isToBeTold = alert.isTold && tells
        guard !isToBeTold || hasRoom else {
            alerts[reading.key] = alert
            return
        }
        if isToBeTold { add(.resolved, alert) }
        changes.append(Change(state: .resolved, level: reading.level, key: reading.key))
        alert.phase = .quiet
        alert.isTold = false
        alert.resolvedTo = reading.to
        alerts[reading.key] = alert
    }

    /// Forgets an alert that isn't broken, unless plays of its last window might still come.
    private mutating func calm(_ alert: Alert, _ reading: LevelReading, at now: Int64) {
        var alert = alert
        alert.phase = .quiet
        alert.reading = reading
        let isOver = alert.resolvedTo.map { $0 + (reading.to - reading.from) <= now } ?? true
        alerts[reading.key] = isOver ? nil : alert
    }

    private var hasRoom: Bool { deliveries.count < Self.mostDeliveries }

    private mutating func add(_ state: Change.State, _ alert: Alert) {
        let body = alert.reading.message(state.rawValue, since: alert.since)
        deliveries.append(Delivery(number: nextNumber, key: alert.reading.key, body: body))
        nextNumber += 1
    }
}
