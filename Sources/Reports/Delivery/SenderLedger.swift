/// One request's running totals of its sender.
package struct Account: Sendable {
    /// In the order of the log.
    var number: Int64
    var sender: Int
    var sequence: Int64
    var made: Int64
    var dropped: Int64
    var rejected: Int64
    /// ms since 1970.
    var receivedAt: Int64
    /// The request's plays in the log; nil when it brought none.
    var arrivals: ClosedRange<Int64>?

    package init(
        number: Int64 = 0, sender: Int, sequence: Int64, made: Int64, dropped: Int64, rejected: Int64,
        receivedAt: Int64,
        arrivals: ClosedRange<Int64>?
    ) {
        self.number = number
        self.sender = sender
        self.sequence = sequence
        self.made = made
        self.dropped = dropped
        self.rejected = rejected
        self.receivedAt = receivedAt
        self.arrivals = arrivals
    }
}

/// What one sender made and what of it arrived in one period.
struct SenderTally {
    /// The account with the highest number up to the period's beginning, and up to its end.
    var before: Account?
    var latest: Account
    var arrived: Int64 = 0
    /// What all its arrived plays share; nil before the first.
    private(set) var key: GroupKey?
    private(set) var isMixed = false
    /// One of its plays is chosen by the report's filters.
    private(set) var isChosen = false

    init(before: Account?, latest: Account) {
        self.before = before
        self.latest = latest
    }

    mutating func add(key: GroupKey, isLeftOut: Bool, isChosen: Bool) {
        arrived += 1
        guard !isLeftOut else { return }
        self.isChosen = self.isChosen || isChosen
        add(key)
    }

    mutating func add(_ share: ArrivalCount.Share) {
        arrived += share.arrived
        isChosen = isChosen || share.isChosen
        for key in share.keys { add(key) }
    }

    private mutating func add(_ key: GroupKey) {
        isMixed = isMixed || (self.key ?? key) != key
        self.key = key
    }

    /// Totals that fall make nothing: the sender began again under its name.
    private func made(_ total: (Account) -> Int64) -> Int128 {
        max(0, Int128(total(latest)) - Int128(before.map(total) ?? 0))
    }

    func figures(names: GroupNames) -> DeliveryFigures {
        var figures = DeliveryFigures(names: names, senders: 1)
        figures.made = made(\.made)
        figures.arrived = arrived
        figures.dropped = made(\.dropped)
        figures.rejected = made(\.rejected)
        figures.lost = max(0, figures.made - Int128(arrived) - figures.dropped - figures.rejected)
        figures.surplus = max(0, Int128(arrived) - figures.made)
        return figures
    }
}

/// Gathers senders' accounts in order of receipt and sets the plays that arrived against them, period by period.
struct SenderLedger {
    private struct Place: Hashable {
        var period: Int
        var sender: Int
    }

    /// The period of a time of receipt; nil for one that the report does not cover.
    private let period: (Int64) -> Int?
    private var highest: [Int: Account] = [:]
    private var tallies: [(place: Place, tally: SenderTally)] = []
    private var numbers: [Place: Int] = [:]
    private var requests: [RequestFinder.Request] = []
    private(set) var finder = RequestFinder([])

    init(period: @escaping (Int64) -> Int?) {
        self.period = period
    }

    /// Adds the next account in order of receipt.
    mutating func add(_ account: Account) {
        let before = highest[account.sender]
        // Of two accounts with one number the first received stands.
        let latest = before.map { $0.sequence >= account.sequence ? $0 : account } ?? account
        highest[account.sender] = latest
        guard let period = period(account.receivedAt) else { return }
        let place = Place(period: period, sender: account.sender)
        let number = numbers[place] ?? tallies.count
        if number == tallies.count {
            numbers[place] = number
            tallies.append((place, SenderTally(before: before, latest: latest)))
        }
        tallies[number].tally.latest = latest
        if let arrivals = account.arrivals { requests.append(.init(arrivals: arrivals, tally: number)) }
    }

    /// Between the last account and the first play.
    mutating func sort() {
        finder = RequestFinder(requests)
        requests = []
    }

    /// Adds a stored play; one that no account's request brought is nobody's.
    mutating func add(arrival: Int64, key: GroupKey, isLeftOut: Bool, isChosen: Bool) {
        guard let tally = finder.tally(of: arrival) else { return }
        tallies[tally].tally.add(key: key, isLeftOut: isLeftOut, isChosen: isChosen)
    }

    /// Adds what was counted of the plays.
    mutating func add(_ count: ArrivalCount) {
        count.forEach { tallies[$0].tally.add($1) }
    }

    /// The figures of each period's groups.
    ///
    /// - Parameter request: which senders count, and what groups are called.
    func groups(_ request: ReportRequest) -> [Int: [GroupKey: DeliveryFigures]] {
        var groups: [Int: [GroupKey: DeliveryFigures]] = [:]
        for (place, tally) in tallies {
            if tally.arrived > 0 || !request.filters.isEmpty {
                guard tally.isChosen else { continue }
            }
            let names = GroupNames(
                request.dimensions.indices.map { index in
                    tally.isMixed ? "(several)" : tally.key.map { request.names($0)[index] } ?? "(unknown)"
                })
            groups[place.period, default: [:]][names.key, default: DeliveryFigures(names: names)].add(
                tally.figures(names: names))
        }
        return groups
    }
}
