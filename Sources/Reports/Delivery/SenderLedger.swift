/// One request's running totals of its sender.
struct Account {
    var sender: Int
    var sequence: Int64
    var made: Int64
    var dropped: Int64
    var rejected: Int64
    var receivedAt: Int64
    /// The request's plays in the log; empty when it brought none.
    var arrivals: ClosedRange<Int64>?
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
        isMixed = isMixed || (self.key ?? key) != key
        self.key = key
    }

    /// Totals that fall make nothing: the sender began again under its name.
    private func made(_ total: (Account) -> Int64) -> Int64 {
        max(0, total(latest) - (before.map(total) ?? 0))
    }

    func figures(names: [String]) -> DeliveryFigures {
        var figures = DeliveryFigures(names: names, senders: 1)
        figures.made = made(\.made)
        figures.arrived = arrived
        figures.dropped = made(\.dropped)
        figures.rejected = made(\.rejected)
        figures.lost = max(0, figures.made - arrived - figures.dropped - figures.rejected)
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
    /// Requests of the periods that brought plays, by their first, and whose tally they are in.
    private var requests: [(arrivals: ClosedRange<Int64>, tally: Int)] = []
    /// The first arrivals of ``requests``.
    private var firsts: [Int64] = []

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
        if let arrivals = account.arrivals { requests.append((arrivals, number)) }
    }

    /// Between the last account and the first play.
    mutating func sort() {
        requests.sort { $0.arrivals.lowerBound < $1.arrivals.lowerBound }
        firsts = requests.map(\.arrivals.lowerBound)
    }

    /// Adds a stored play; one that no account's request brought is nobody's.
    mutating func add(arrival: Int64, key: GroupKey, isLeftOut: Bool, isChosen: Bool) {
        var (low, high) = (0, firsts.count)
        while low < high {
            let middle = (low + high) / 2
            if firsts[middle] <= arrival { low = middle + 1 } else { high = middle }
        }
        guard low > 0, requests[low - 1].arrivals.contains(arrival) else { return }
        tallies[requests[low - 1].tally].tally.add(key: key, isLeftOut: isLeftOut, isChosen: isChosen)
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
            let names = request.dimensions.indices.map { index in
                tally.isMixed ? "(several)" : tally.key.map { request.names($0)[index] } ?? "(unknown)"
            }
            let key = GroupKey(names.map { ByteText($0) })
            groups[place.period, default: [:]][key, default: DeliveryFigures(names: names)].add(
                tally.figures(names: names))
        }
        return groups
    }
}
