/// What the receipts of a log, in its order, tell of the steps of the clock that gave them.
///
/// A play is dated by its receipt and its age, so one that was first received before a step of the server's clock, and again
/// after it, comes to another hour. The step shows in the log: one receipt lies far from the one before it. (So does a time
/// without any request, which does no harm: it only has a few more hours looked at.) Only plays that ended before a step
/// can have been received before it, so plays that are sent soon after their end cost nothing.
struct ReceiptClock: Equatable, Sendable {
    /// A step, in terms of the clock as it is now.
    struct Step: Equatable, Sendable {
        /// The first receipt after it, ms since 1970.
        var moment: Int64
        /// By how much a play's time is later now than it was before the step, in ms.
        var shift: Int64
    }

    /// Receipts nearer than this to the one before are no step: a play stays within the hours that are looked at anyway.
    static let leastStep: Int64 = 6 * 60_000
    /// Requests under way together may come into the log in another order.
    private static let disorder: Int64 = 60_000
    /// The newest that are remembered.
    static let mostSteps = 8
    /// An eighth of a look at an hour comes with each play, and so many can be saved up: a log in which the clock steps all the
    /// time, such as an import without order, is not loaded much slower for it.
    static let costOfLook: Int64 = 8
    static let mostCredit: Int64 = 4_096 * costOfLook

    /// Ms since 1970; nil before the first.
    private(set) var last: Int64?
    private(set) var credit = mostCredit
    /// The newest first.
    private(set) var steps: [Step] = []

    init() {}

    init(last: Int64?, credit: Int64, steps: [Step]) {
        (self.last, self.credit, self.steps) = (last, credit, steps)
    }

    /// Takes the next receipt of the log.
    mutating func advance(to receivedAt: Int64) {
        defer { last = receivedAt }
        guard let last, (receivedAt &- last).magnitude > UInt64(Self.leastStep) else { return }
        let shift = receivedAt &- last
        steps =
            [Step(moment: receivedAt, shift: shift)]
            + steps.prefix(Self.mostSteps - 1).map { Step(moment: $0.moment &+ shift, shift: $0.shift &+ shift) }
    }

    /// The hours at which a play may lie that was received before a step; each is paid for.
    mutating func take(for play: StoredPlay) -> [Int64] {
        credit = min(Self.mostCredit, credit + 1)
        guard let hours = hours(for: play), Int64(hours.count) * Self.costOfLook <= credit else { return [] }
        credit -= Int64(hours.count) * Self.costOfLook
        return hours
    }

    /// The hours at which a play may lie that was received before a step; nil when there are none.
    func hours(for play: StoredPlay) -> [Int64]? {
        // Other plays keep their time: it is the client's, or that of the receipt, which is remembered.
        guard let newest = steps.first, play.ageMs != StoredPlay.absent, !play.isIdMade else { return nil }
        let ended = play.receivedAt &- play.ageMs
        guard ended <= newest.moment &+ Self.disorder else { return nil }
        var hours: [Int64] = []
        for step in steps where ended <= step.moment &+ Self.disorder && step.shift.magnitude > UInt64(Self.leastStep) {
            let before = PlayHour(of: ended &- step.shift)
            // Between the last receipt before a step and the first after it real time has gone by, which looks like a part of
            // the step: the play ended that much later.
            for hour in [before.number, before.number &+ 1, before.neighbour ?? before.number]
            where !hours.contains(hour) {
                hours.append(hour)
            }
        }
        return hours.isEmpty ? nil : hours
    }
}
