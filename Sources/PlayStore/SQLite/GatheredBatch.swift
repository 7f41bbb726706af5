internal import PlaybackEvents

/// What waits for the next commit.
struct GatheredBatch {
    /// The order in which plays become rows.
    struct Order {
        /// Sorted by the key of their table, so that neighbours come together; no identifier twice.
        var firsts: [Int] = []
        /// The later ones of those with an identifier that the batch has twice, as they arrived.
        var repeats: [Int] = []
    }

    private(set) var plays: [StoredPlay] = []
    private(set) var accounts: [StoredAccount] = []
    private(set) var rejections = RejectionTally()
    /// As they will be after the commit; what becomes of the plays is not yet known.
    var totals: StoreTotals
    private let hash: SeededHash

    init(after totals: StoreTotals, hash: SeededHash) {
        self.totals = totals
        self.hash = hash
    }

    var count: Int { plays.count + accounts.count + rejections.events.count }

    /// Forgets what was gathered; keeps the memory.
    mutating func empty(after totals: StoreTotals) {
        plays.removeAll(keepingCapacity: true)
        accounts.removeAll(keepingCapacity: true)
        rejections.removeAll()
        self.totals = totals
    }

    mutating func add(_ rejections: RejectionTally) {
        self.rejections.add(rejections)
    }

    /// Takes a chunk's lines.
    ///
    /// - Returns: the indices of the entries that can't be loaded.
    mutating func add(_ lines: borrowing LoggedPlays, _ dictionaries: StoreDictionaries) -> [Int] {
        var refused: [Int] = []
        // The request whose account was the last line but plays.
        var account: Identifier128?
        lines.text.withUnsafeBytes { text in
            for index in lines.entries.indices {
                let entry = lines.entries[index]
                switch entry.kind {
                case .play(let play):
                    if entry.requestId != account { account = nil }
                    guard add(play, entry, text, dictionaries) else {
                        refused.append(index)
                        continue
                    }
                    if account != nil { accounts[accounts.count - 1].arrivals += 1 }
                case .account(let values):
                    account = entry.requestId
                    add(values, entry, text, dictionaries)
                }
            }
        }
        totals.unloadable += Int64(refused.count)
        return refused
    }

    private mutating func add(
        _ play: Play, _ entry: LoggedPlays.Entry, _ text: UnsafeRawBufferPointer, _ dictionaries: StoreDictionaries
    ) -> Bool {
        let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
        guard var stored = StoredPlay(play, id: id, arrival: totals.arrivals + 1) else { return false }
        dictionaries.encode(play, text: text, into: &stored)
        totals.arrivals += 1
        plays.append(stored)
        return true
    }

    private mutating func add(
        _ account: SenderAccount, _ entry: LoggedPlays.Entry, _ text: UnsafeRawBufferPointer,
        _ dictionaries: StoreDictionaries
    ) {
        totals.accounts += 1
        let sender = dictionaries.senders.id(of: UnsafeRawBufferPointer(rebasing: text[account.senderId.range]))
        accounts.append(
            StoredAccount(
                number: totals.accounts, sender: sender, account: account, receivedAt: entry.receivedAt,
                firstArrival: totals.arrivals + 1))
    }

    /// Decides the order of the rows.
    ///
    /// - Complexity: O(*n* log *n*).
    func order() -> Order {
        var order = Order()
        var seen = HashSet(capacity: plays.count)
        var keys: [Key] = []
        keys.reserveCapacity(plays.count)
        for index in plays.indices {
            // Two identifiers of one hash only lose their place in the order.
            if seen.insert(hash(plays[index].id)) {
                keys.append(Key(plays[index], index: index))
            } else {
                order.repeats.append(index)
            }
        }
        keys.sort()
        order.firsts = keys.map { Int($0.index) }
        return order
    }

    private struct Key: Comparable {
        var hour: Int64
        var id: Identifier128
        var index: Int32

        init(_ play: StoredPlay, index: Int) {
            // Delayed plays go to another table: they come after all others.
            hour = PlayHour(of: play.endedAt).number &+ (play.isDelayed ? 1 << 40 : 0)
            id = play.id
            self.index = Int32(truncatingIfNeeded: index)
        }

        static func < (one: Key, other: Key) -> Bool {
            one.hour != other.hour ? one.hour < other.hour : one.id < other.id
        }
    }
}
