/// A store of plays as the reports see it: typed questions, values in and out.
///
/// Whatever a store does to answer, its answers are whole numbers (the weighted sums apart), and every store gives the same.
package protocol ReportStore {
    /// Runs `body`, whose questions all see the same plays where the store can promise it.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result

    /// The hours of play time that have plays, ascending.
    ///
    /// - Parameter hours: UTC hours since 1970; nil for all.
    func hours(in hours: ClosedRange<Int64>?) throws -> [StoredHour]

    /// The sums of each period of the question, in its order.
    func sums(_ question: SumsQuestion) throws -> [PeriodSums]

    /// For each period and group, what it and its other side have in each stratum.
    func strata(_ question: SumsQuestion, by strata: [PlayDimension]) throws -> [[GroupKey: [StratumSums]]]

    /// For each period and group, the sums of pairs weighted by the rates of their strata.
    ///
    /// - Parameter weights: for each period, group, stratum and measure; a stratum without them is left out.
    func adjusted(
        _ question: SumsQuestion, by strata: [PlayDimension],
        weights: [[GroupKey: [GroupKey: ByMeasure<StratumWeights?>]]]
    ) throws -> [[GroupKey: ByMeasure<AdjustedSums>]]

    /// How many plays of the scope have each value of a tag, whatever the scope's dimensions.
    ///
    /// - Parameter range: times of plays, ms since 1970, not empty; nil for every play.
    /// - Throws: ``ReportLimitError/groups(most:)`` with more values than the scope may have groups.
    func plays(byTag name: String, _ scope: PlayScope, in range: Range<Int64>?) throws -> [String: Int64]

    /// What senders say they made and what arrived of it, group by group, for each period of receipt of the question.
    func deliveries(_ question: DeliveryQuestion) throws -> [[SenderSums]]

    /// The values of a dimension that plays have had, in any order; none for days and hours.
    ///
    /// - Parameters:
    ///   - wanted: only those of these; nil for all.
    ///   - most: so many at the most.
    func values(of dimension: PlayDimension, among wanted: [ByteText]?, most: Int) throws -> [ByteText]

    /// How many plays each group of a scope has; downloads are left out where the scope says so.
    ///
    /// - Parameter times: times of plays, ms since 1970; nil for all.
    func counts(_ scope: PlayScope, in times: Range<Int64>?) throws -> [GroupKey: Int64]

    /// Some plays one by one.
    func plays(_ question: PlaysQuestion) throws -> ChosenPlays

    /// What came in beside the plays that were stored.
    ///
    /// - Parameter hours: hours of receipt, UTC since 1970; nil for all.
    func receipts(in hours: ClosedRange<Int64>?) throws -> ReceiptCounts

    /// How far the store has come.
    func marks() throws -> StoreMarks

    /// What tells the play of a number from any other; nil where there is none.
    func play(arrival: Int64, hour: Int64) throws -> String?

    /// What tells the sender's report of a number from any other; nil where there is none.
    func report(number: Int64) throws -> String?

    /// The earliest receipt of a sender's report with a higher number, ms since 1970.
    func firstReceipt(afterReport number: Int64) throws -> Int64?
}

/// Which plays are counted, and by what they are grouped.
package struct PlayScope: Sendable, Hashable {
    package var zone: ReportZone
    package var dimensions: [PlayDimension]
    /// All must hold.
    package var filters: [PlayFilter]
    package var leavesOutDownloads: Bool
    /// The startup that is still within the target, in ms.
    package var targetMs: Int64
    /// With more groups than this a store gives up with ``ReportLimitError``.
    package var mostGroups: Int
    /// Beyond so many groups of a period, those with the fewest plays are one, ``GroupKey/other(_:)``.
    package var mostNamed: Int

    package init(_ request: ReportRequest) {
        zone = request.zone
        dimensions = request.dimensions
        filters = request.filters
        leavesOutDownloads = request.leavesOutDownloads
        targetMs = request.targetMs
        mostGroups = request.mostGroups
        mostNamed = request.mostNamed
    }
}

/// The sums of several periods, read at once where the store can.
package struct SumsQuestion: Sendable {
    package var scope: PlayScope
    /// Times of plays, ms since 1970, none of them empty; nil for every play. They may overlap, as a week and its days do.
    package var periods: [Range<Int64>?]
    /// Percentiles of startup whose shares are wanted, ascending, at most eight.
    package var percents: [Int64]
    /// The other side of each group's comparison, for ``GroupSums/cross``; nil for none.
    package var otherSide: OtherSide?
    /// Ratios leave out the sessions that have plays in several groups of a period, which are counted.
    package var leavesOutSharedSessions = false
    /// Groups' keys, totals and downloads are all that is wanted, without ``GroupKey/other(_:)``: a store may leave the rest
    /// empty, and then needs to know no sessions.
    package var wantsTotalsAlone = false

    /// What a group is set against.
    package enum OtherSide: Sendable, Hashable {
        /// All other groups of the period together.
        case rest
        /// The same group in another period of the question: for each period its index, nil for a period with none.
        case periods([Int?])
    }

    package init(
        _ scope: PlayScope, periods: [Range<Int64>?], percents: [Int64] = [50, 95], otherSide: OtherSide? = nil
    ) {
        self.scope = scope
        self.periods = periods
        self.percents = percents
        self.otherSide = otherSide
    }

    /// Asks for totals alone.
    static func totals(_ scope: PlayScope, periods: [Range<Int64>?]) -> SumsQuestion {
        var question = SumsQuestion(scope, periods: periods, percents: [])
        question.scope.mostNamed = .max
        question.wantsTotalsAlone = true
        return question
    }

    /// Asks for percentiles beside those that are asked for already.
    mutating func add(percents more: [Int64]) { percents = (percents + more).sorted() }
}

/// What a group and its other side have in one stratum.
package struct StratumSums: Sendable {
    /// The values of the strata's dimensions.
    package var stratum: GroupKey
    package var own = ByMeasure { _ in Part() }
    package var other = ByMeasure { _ in Part() }

    package struct Part: Sendable, Hashable {
        package var base: Int128 = 0
        package var events: Int128 = 0
        /// Sessions, and plays without one, with a base above 0.
        package var sessions: Int64 = 0

        package init() {}

        /// - Parameter isNew: the session has not been counted yet.
        package mutating func add(_ pair: (x: Int64, y: Int64), isNew: Bool) {
            base += Int128(pair.x)
            events += Int128(pair.y)
            sessions += isNew ? 1 : 0
        }
    }

    package init(_ stratum: GroupKey) {
        self.stratum = stratum
    }
}

/// How much a stratum's plays weigh on either side; a stratum without weights is left out.
package struct StratumWeights: Sendable, Hashable {
    /// r: a pair of the group is (r·x, y).
    package var own: Double
    /// w: a pair of the other side is (w·r·x, w·y).
    package var other: Double
    /// The events are what the measure does not count, such as the late starts.
    package var isComplement: Bool

    package init(own: Double, other: Double, isComplement: Bool) {
        self.own = own
        self.other = other
        self.isComplement = isComplement
    }
}

/// Sums of weighted pairs on both sides of a comparison.
package struct AdjustedSums: Sendable {
    package var own = Side()
    package var other = Side()
    /// Σ over sessions on both sides of x_own·x_other, x_own·y_other, y_own·x_other, y_own·y_other.
    package var cross: (xx: Double, xy: Double, yx: Double, yy: Double) = (0, 0, 0, 0)

    package struct Side: Sendable {
        package var x = 0.0
        package var y = 0.0
        package var xx = 0.0
        package var xy = 0.0
        package var yy = 0.0
        /// Plays and events of the used strata as they are, and the squares of the events by session: for few events.
        package var plain = RatioSums()

        package init() {}

        mutating func add(_ pair: Pair) {
            x += pair.x
            y += pair.y
            xx += pair.x * pair.x
            xy += pair.x * pair.y
            yy += pair.y * pair.y
            if pair.plain.x > 0 { plain.add(x: pair.plain.x, y: pair.plain.y) }
        }
    }

    /// What one session has on one side.
    package struct Pair: Sendable {
        package var x = 0.0
        package var y = 0.0
        package var plain: (x: Int64, y: Int64) = (0, 0)

        package init() {}
    }

    package init() {}

    /// Adds one session.
    package mutating func add(_ one: Pair, _ two: Pair) {
        own.add(one)
        other.add(two)
        cross.xx += one.x * two.x
        cross.xy += one.x * two.y
        cross.yx += one.y * two.x
        cross.yy += one.y * two.y
    }
}

/// The senders' own reports over times of receipt.
package struct DeliveryQuestion: Sendable {
    package var scope: PlayScope
    /// Times of receipt, ms since 1970; nil for all. They don't overlap.
    package var periods: [Range<Int64>?]

    package init(_ scope: PlayScope, periods: [Range<Int64>?]) {
        self.scope = scope
        self.periods = periods
    }
}

/// What some senders made in one period, and what arrived.
package struct SenderSums: Sendable, Hashable {
    /// What the senders' arrived plays share, sender by sender.
    package enum Group: Sendable, Hashable {
        case one(GroupKey)
        case several
        /// No play that says so arrived.
        case unknown
    }

    package var group: Group
    package var senders: Int64 = 0
    // What senders say may be anything, so sums are wide.
    package var made: Int128 = 0
    package var arrived: Int128 = 0
    package var dropped: Int128 = 0
    package var rejected: Int128 = 0
    /// Made and not accounted for, sender by sender.
    package var lost: Int128 = 0
    /// Arrived beyond what was made, sender by sender: an identifier that several share, or a sender that lies.
    package var surplus: Int128 = 0

    package init(_ group: Group) {
        self.group = group
    }

    package mutating func addSender(made: Int64, arrived: Int64, dropped: Int64, rejected: Int64) {
        senders += 1
        self.made += Int128(made)
        self.arrived += Int128(arrived)
        self.dropped += Int128(dropped)
        self.rejected += Int128(rejected)
        lost += max(0, Int128(made) - Int128(arrived) - Int128(dropped) - Int128(rejected))
        surplus += Int128(max(0, arrived - made))
    }

    package static func += (sums: inout SenderSums, part: SenderSums) {
        sums.senders += part.senders
        sums.made += part.made
        sums.arrived += part.arrived
        sums.dropped += part.dropped
        sums.rejected += part.rejected
        sums.lost += part.lost
        sums.surplus += part.surplus
    }
}

/// An hour of play time that has plays.
package struct StoredHour: Sendable, Hashable {
    /// UTC hours since 1970.
    package var number: Int64
    package var plays: Int64
    /// The number in the log of its last play to come.
    package var lastArrival: Int64

    package init(number: Int64, plays: Int64, lastArrival: Int64) {
        self.number = number
        self.plays = plays
        self.lastArrival = lastArrival
    }

    /// ms since 1970.
    var start: Int64 { number * millisecondsPerHour }
}

/// How far a store's senders' reports reach.
package struct StoreMarks: Sendable, Hashable {
    /// The highest number, 0 without one, and how many there are.
    package var lastReport: Int64
    package var reports: Int64
    /// The first receipt of all, and the first and last since 1970, in ms since then.
    package var firstReceipt: Int64?
    package var receipts: ClosedRange<Int64>?
    /// Whether the numbers of plays and reports grow with each that can be seen, as those of one log do that is loaded in
    /// order.
    package var grow: Bool

    package init(
        lastReport: Int64 = 0, reports: Int64 = 0, firstReceipt: Int64? = nil, receipts: ClosedRange<Int64>? = nil,
        grow: Bool
    ) {
        self.lastReport = lastReport
        self.reports = reports
        self.firstReceipt = firstReceipt
        self.receipts = receipts
        self.grow = grow
    }
}
