package import PlaybackEvents
internal import SQLite

/// Gathers lines for the embedded store: they get the numbers of their texts here.
package struct PlayGatherer: LineGatherer {
    private var batch: GatheredBatch
    private var dictionaries: StoreDictionaries

    init(_ batch: GatheredBatch, _ dictionaries: StoreDictionaries) {
        (self.batch, self.dictionaries) = (batch, dictionaries)
    }

    package var count: Int { batch.count }

    package mutating func gather(_ lines: borrowing LoggedPlays, unloadable: Int) -> [Int] {
        batch.add(lines, unreadable: unloadable, &dictionaries)
    }

    package mutating func gather(_ rejections: RejectionTally) {
        batch.add(rejections)
    }

    package mutating func seal(reusing spent: consuming GatheredBatch?) -> GatheredBatch {
        batch.seal(&dictionaries)
        var next = spent.take() ?? GatheredBatch(after: batch)
        next.empty(after: batch.end, batch.clock)
        swap(&batch, &next)
        return next
    }
}

/// What waits for one commit.
package struct GatheredBatch: Sendable {
    private var plays: [StoredPlay] = []
    private(set) var accounts: [StoredAccount] = []
    private(set) var rejections = RejectionTally()
    /// What the dictionaries' tables do not have yet; filled by sealing.
    private(set) var additions = DictionaryAdditions()
    /// The totals after the commit, of which only those are meant that gathering decides: arrivals, accounts, unloadable.
    private(set) var end: StoreTotals
    /// What the log's receipts have told up to here.
    private(set) var clock: ReceiptClock
    /// Hours at which a play may lie that was received before a step of the clock, by its place in the batch.
    private var hoursBefore: [Int: [Int64]] = [:]
    private let hash: SeededHash

    init(after totals: StoreTotals, _ clock: ReceiptClock, hash: SeededHash) {
        end = totals
        self.clock = clock
        self.hash = hash
    }

    /// An empty one.
    fileprivate init(after batch: GatheredBatch) {
        self.init(after: batch.end, batch.clock, hash: batch.hash)
    }

    var count: Int { plays.count + accounts.count + rejections.events.count }

    /// Forgets what was gathered; keeps the memory.
    fileprivate mutating func empty(after totals: StoreTotals, _ clock: ReceiptClock) {
        self.clock = clock
        hoursBefore.removeAll()
        plays.removeAll(keepingCapacity: true)
        accounts.removeAll(keepingCapacity: true)
        rejections.removeAll()
        additions = DictionaryAdditions()
        end = totals
    }

    fileprivate mutating func seal(_ dictionaries: inout StoreDictionaries) {
        additions = dictionaries.takeAdditions()
    }

    fileprivate mutating func add(_ rejections: RejectionTally) {
        self.rejections.add(rejections)
    }

    /// Takes a chunk's lines.
    ///
    /// - Parameter unreadable: the lines beside them that could not be read.
    /// - Returns: the indices of the entries that can't be loaded.
    fileprivate mutating func add(
        _ lines: borrowing LoggedPlays, unreadable: Int, _ dictionaries: inout StoreDictionaries
    ) -> [Int] {
        var refused: [Int] = []
        // The request whose account was the last line but plays.
        var account: Identifier128?
        var previous = StoreDictionaries.Previous()
        // No more than needed: left alone, an array doubles.
        plays.reserveCapacity(plays.count + lines.entries.count)
        let (bytes, entries) = (lines.text, lines.entries)
        let text = bytes.span.bytes
        for index in entries.indices {
            clock.advance(to: entries[index].receivedAt)
            switch entries[index].kind {
            case .play(let play):
                if entries[index].requestId != account { account = nil }
                let id =
                    play.playId
                    ?? MadePlayId.make(requestId: entries[index].requestId, index: entries[index].index)
                guard var stored = StoredPlay(play, id: id, arrival: end.arrivals + 1),
                    dictionaries.encode(play, text: text, after: &previous, into: &stored)
                else {
                    refused.append(index)
                    continue
                }
                end.arrivals += 1
                let hours = clock.take(for: stored)
                if !hours.isEmpty { hoursBefore[plays.count] = hours }
                plays.append(stored)
                if account != nil { accounts[accounts.count - 1].arrivals += 1 }
            case .erased(let count, let isRepeat):
                if entries[index].requestId != account { account = nil }
                end.arrivals += count
                if account != nil {
                    accounts[accounts.count - 1].arrivals += count
                    if !isRepeat { accounts[accounts.count - 1].erased += count }
                }
            case .account(let values):
                account = nil
                guard add(values, entries[index], text, &dictionaries) else {
                    refused.append(index)
                    continue
                }
                account = entries[index].requestId
            }
        }
        end.unloadable += Int64(refused.count + unreadable)
        return refused
    }

    private mutating func add(
        _ account: SenderAccount, _ entry: LoggedPlays.Entry, _ text: RawSpan,
        _ dictionaries: inout StoreDictionaries
    ) -> Bool {
        guard let sender = dictionaries.senders.id(of: text.extracting(account.senderId.range)) else { return false }
        end.accounts += 1
        accounts.append(
            StoredAccount(
                number: end.accounts, sender: sender, account: account, receivedAt: entry.receivedAt,
                firstArrival: end.arrivals + 1))
        return true
    }

    /// What becomes of the plays of an account's request.
    ///
    /// - Parameter repeats: arrivals that make no row.
    func arrived(with account: StoredAccount, repeats: Set<Int64>) -> StoredAccount.Arrived {
        var arrived = StoredAccount.Arrived()
        // A batch holds whole requests, and its plays in the order of their arrival; those that were erased are not there.
        let end = account.firstArrival + account.arrivals
        var position = firstPlay(from: account.firstArrival)
        while position < plays.count, plays[position].arrival < end {
            if !repeats.contains(plays[position].arrival) { arrived.add(context: plays[position].delivery) }
            position += 1
        }
        arrived.stored += account.erased
        return arrived
    }

    /// The place of the first play of an arrival or a later one.
    private func firstPlay(from arrival: Int64) -> Int {
        var (low, high) = (0, plays.count)
        while low < high {
            let middle = (low + high) / 2
            if plays[middle].arrival < arrival { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Hands over the plays in the order in which they become rows, and tallies them.
    ///
    /// They come sorted by the key of their table, so that neighbours come together; at the end, as they arrived, come the
    /// later ones of those with an identifier that the batch has twice.
    ///
    /// - Parameters:
    ///   - closed: plays of hours up to this one are delayed rows.
    ///   - body: gets a play, the hours at which it may lie since it was received before a step of the clock, and the tally.
    /// - Complexity: O(*n* log *n*).
    func forEachPlay(
        closed: Int64, _ body: (StoredPlay, _ hoursBefore: [Int64], inout HourTally) throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> HourTally {
        var tally = HourTally()
        var seen = HashSet(capacity: plays.count)
        var keys: [PlayKey] = []
        var repeats: [Int] = []
        keys.reserveCapacity(plays.count)
        for index in plays.indices {
            // Two identifiers of one hash only lose their place in the order.
            if seen.insert(hash(plays[index].id)) {
                keys.append(PlayKey(plays[index], closed: closed, index: index))
            } else {
                repeats.append(index)
            }
        }
        keys.sort()
        for key in keys { try body(plays[Int(key.index)], hoursBefore[Int(key.index)] ?? [], &tally) }
        for index in repeats { try body(plays[index], hoursBefore[index] ?? [], &tally) }
        return tally
    }
}

/// Where a play of a batch goes: its table, and its key in it.
struct PlayKey: Comparable {
    private var hour: Int64
    private var id: Identifier128
    /// The play's place in the batch.
    private(set) var index: Int32

    init(_ play: StoredPlay, closed: Int64, index: Int) {
        // No hour comes near the step between the tables.
        hour = PlayHour(of: play.endedAt).number + (play.isDelayed(closed: closed) ? 1 << 40 : 0)
        id = play.id
        self.index = Int32(truncatingIfNeeded: index)
    }

    static func < (one: PlayKey, other: PlayKey) -> Bool {
        if one.hour != other.hour { return one.hour < other.hour }
        return one.id.high != other.id.high ? one.id.high < other.id.high : one.id.low < other.id.low
    }
}

/// A set of hashes, of a capacity that is known beforehand.
private struct HashSet {
    private var slots: [UInt64]

    init(capacity: Int) {
        var count = 64
        while count < 2 * capacity { count *= 2 }
        slots = [UInt64](repeating: 0, count: count)
    }

    /// Adds a hash.
    ///
    /// - Returns: whether it is new.
    mutating func insert(_ hash: UInt64) -> Bool {
        // 0 marks an empty slot.
        let hash = hash == 0 ? 1 : hash
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == hash { return false }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = hash
        return true
    }
}
