internal import Archive
internal import PlaybackEvents
internal import SQLite

/// Holds every play and account of the archive against its row, and every row against the archive.
///
/// Takes a bit of memory for each play of the archive, some words for each hour and for each of ``PrunedFirsts``, and bounded
/// caches.
struct PlaysVerifier {
    private struct PendingAccount {
        var number: Int64
        var values: SenderAccount
        var requestId: Identifier128
        var receivedAt: Int64
        var firstArrival: Int64
        var arrivals: Int64 = 0
        var arrived = StoredAccount.Arrived()
        /// Plays of its request that were erased and are no repeats.
        var erased: Int64 = 0
        /// Of some of its plays nobody can know any more what became of them.
        var isPruned = false
    }

    private let connection: SQLiteConnection
    private let rows: PlayRows
    private var comparison: RowComparison
    private var senders: StoredTexts
    private let selectAccount: SQLiteStatement
    private let selectHour: SQLiteStatement
    private let prunedBefore: Int64?
    private var prunedFirsts: PrunedFirsts

    /// Which arrivals have made a row, a bit each.
    private var standing: [UInt64] = []
    private var account: PendingAccount?
    private var clock = ReceiptClock()
    /// What the archive's lines come to.
    private(set) var found = StoreTotals()
    private(set) var erased: Int64 = 0
    private(set) var repeats: [Int64: HourTally.Repeats] = [:]
    private(set) var receiptDated: Int64 = 0
    /// How many plays and accounts came before the archive's first line; nil where that can't be known, and then of each
    /// play no more than its being there is looked up.
    private var before: (arrivals: Int64, accounts: Int64)?

    /// - Parameter before: how many plays and accounts the database has read from files that are gone.
    init(
        _ connection: SQLiteConnection, _ dictionaries: DictionaryTables, prunedBefore: Int64?,
        before: (arrivals: Int64, accounts: Int64)?
    ) throws(SQLiteError) {
        self.connection = connection
        rows = try PlayRows(connection, dictionaries)
        comparison = RowComparison(dictionaries)
        senders = StoredTexts(dictionaries.senders)
        selectAccount = try connection.prepare(
            """
            SELECT sender, sequence, made, dropped, rejected, received_at, first_arrival, arrivals, stored, contexts
            FROM sender_accounts WHERE account = ?
            """)
        selectHour = try connection.prepare("SELECT hour FROM receipt_dated_plays WHERE play_id = ?")
        self.prunedBefore = prunedBefore
        prunedFirsts = PrunedFirsts(before: prunedBefore)
        self.before = before
    }

    /// What follows can't be numbered any more: something between is gone.
    mutating func loseCount() {
        before = nil
    }

    /// Whether every number of the archive's lines is known.
    var isNumbered: Bool { before != nil }

    // MARK: Lines

    /// Checks the lines of one chunk.
    ///
    /// - Parameter unreadable: the lines beside them that could not be read.
    mutating func check(
        _ lines: LoggedPlays, unreadable: Int64, _ result: inout StoreVerification
    ) throws {
        found.unloadable += unreadable
        let text = lines.text
        for entry in lines.entries {
            clock.advance(to: entry.receivedAt)
            switch entry.kind {
            case .play(let play): try check(play, entry, text, &result)
            case .erased(let plays, let isRepeat):
                if entry.requestId != account?.requestId { try finishAccount(text, &result) }
                found.arrivals += plays
                erased += plays
                account?.arrivals += plays
                if !isRepeat { account?.erased += plays }
            case .account(let values):
                try finishAccount(text, &result)
                found.accounts += 1
                account = PendingAccount(
                    number: found.accounts + (before?.accounts ?? 0), values: values, requestId: entry.requestId,
                    receivedAt: entry.receivedAt, firstArrival: found.arrivals + 1 + (before?.arrivals ?? 0))
            }
        }
        // A chunk holds whole requests.
        try finishAccount(text, &result)
    }

    private mutating func check(
        _ play: Play, _ entry: LoggedPlays.Entry, _ text: [UInt8], _ result: inout StoreVerification
    ) throws(SQLiteError) {
        if entry.requestId != account?.requestId { try finishAccount(text, &result) }
        let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
        let arrival = found.arrivals + 1 + (before?.arrivals ?? 0)
        guard let stored = StoredPlay(play, id: id, arrival: arrival) else {
            found.unloadable += 1
            return
        }
        found.arrivals += 1
        account?.arrivals += 1
        try check(RowComparison.Line(play: play, stored: stored, text: text), &result)
    }

    private mutating func check(_ line: RowComparison.Line, _ result: inout StoreVerification) throws(SQLiteError) {
        let hour = line.hour.number
        let subject = "play \(line.stored.id.uuidText) of UTC hour \(hour) since 1970"
        var (isFound, stands, conflicts) = (false, false, Bool?.none)
        var context: Int64?
        try rows.forEachOwnRow(of: line.stored) { row throws(SQLiteError) in
            isFound = true
            guard before != nil, !stands, row.int(.arrival) == line.stored.arrival else { return }
            stands = true
            context = row.int(.delivery)
            if let difference = try comparison.difference(row, from: line) { result.add(subject, difference) }
        }
        if !stands {
            try rows.forEachRow(of: line.stored, clock.hours(for: line.stored) ?? []) { row throws(SQLiteError) in
                isFound = true
                guard before != nil, conflicts == nil, row.int(.arrival) < line.stored.arrival else { return }
                conflicts = try comparison.conflicts(line, with: row)
            }
        }
        guard isFound else {
            // The first of its repeats may have been pruned, and it never had a row of its own.
            let isPruned = prunedBefore.map {
                prunedFirsts.contains(line.stored.id)
                    || rows.mayHaveLain(line.stored, clock.hours(for: line.stored) ?? [], before: $0)
            }
            prunedFirsts.note(line.stored)
            if isPruned != true { result.add(.missing(playId: line.stored.id.uuidText, hour: hour)) }
            account?.isPruned = true
            return
        }
        guard before != nil else { return }
        if stands {
            found.loaded += 1
            mark(found.arrivals)
            account?.arrived.add(context: UInt32(truncatingIfNeeded: context ?? 0))
            try checkReceiptDated(line, subject, &result)
        } else if let conflicts {
            found.duplicates += 1
            found.conflicts += conflicts ? 1 : 0
            let receipt = PlayHour(of: line.stored.receivedAt).number
            repeats[receipt, default: .init()].duplicates += 1
            repeats[receipt, default: .init()].conflicts += conflicts ? 1 : 0
        } else if hour >= prunedBefore ?? .min {
            result.add(.stranger("the row of \(subject) has a later arrival than any line of it"))
        } else {
            account?.isPruned = true
        }
    }

    private mutating func checkReceiptDated(
        _ line: RowComparison.Line, _ subject: String, _ result: inout StoreVerification
    ) throws(SQLiteError) {
        guard !line.stored.isIdMade, line.stored.isDatedByReceipt else { return }
        receiptDated += 1
        selectHour.reset()
        try selectHour.bind(1, id: line.stored.id)
        let hour = try selectHour.step() ? selectHour.intOrNil(0) : nil
        if hour != line.hour.number {
            result.add(
                subject, .init("receipt_dated_plays.hour", line.hour.number, hour.map(String.init) ?? "not there"))
        }
    }

    private mutating func finishAccount(
        _ text: [UInt8], _ result: inout StoreVerification
    ) throws(SQLiteError) {
        guard var account else { return }
        self.account = nil
        account.arrived.stored += account.erased
        guard before != nil else { return }
        selectAccount.reset()
        try selectAccount.bind(1, account.number)
        let isOld = prunedBefore.map { PlayHour(of: account.receivedAt).number < $0 } ?? false
        let subject = "sender's account \(account.number)"
        guard try selectAccount.step() else {
            if !isOld { result.add(.stranger("\(subject) is in the archive, not in the database")) }
            return
        }
        // A prune keeps a sender's last account without its time; what comes after the prune has one.
        let receivedAt = isOld && selectAccount.holds(5, -1) ? -1 : account.receivedAt
        let expected: [(String, Int64)] = [
            ("sequence", account.values.sequence), ("made", account.values.made), ("dropped", account.values.dropped),
            ("rejected", account.values.rejected), ("received_at", receivedAt),
            ("first_arrival", account.firstArrival), ("arrivals", account.arrivals),
        ]
        for (offset, (column, value)) in expected.enumerated() where !selectAccount.holds(offset + 1, value) {
            result.add(subject, .init(column, value, selectAccount.words(offset + 1)))
        }
        // An older layout has noted neither.
        if !account.isPruned, !selectAccount.isNull(8) {
            if !selectAccount.holds(8, account.arrived.stored) {
                result.add(subject, .init("stored", account.arrived.stored, selectAccount.words(8)))
            }
            if StoredAccount.Arrived.contexts(9, of: selectAccount) != account.arrived.contexts {
                let expected = account.arrived.contexts.map(String.init).joined(separator: " ")
                result.add(subject, .init(column: "contexts", expected: expected, found: selectAccount.words(9)))
            }
        }
        let sender = [UInt8](text[account.values.senderId.range])
        if try !senders.is(selectAccount.intOrNil(0), sender) {
            result.add(
                subject,
                .init(column: "sender_id", expected: RowComparison.words(sender), found: selectAccount.words(0)))
        }
    }

    // MARK: Rows

    private mutating func mark(_ ordinal: Int64) {
        let word = Int(ordinal >> 6)
        while standing.count <= word { standing.append(0) }
        standing[word] |= 1 << UInt64(ordinal & 63)
    }

    /// Takes a mark away.
    ///
    /// - Returns: whether there was one.
    private mutating func unmark(_ ordinal: Int64) -> Bool {
        guard ordinal > 0, Int(ordinal >> 6) < standing.count else { return false }
        defer { standing[Int(ordinal >> 6)] &= ~(1 << UInt64(ordinal & 63)) }
        return standing[Int(ordinal >> 6)] >> UInt64(ordinal & 63) & 1 == 1
    }

    /// Goes over all rows: each was made by a line, once, and the hours count them.
    mutating func checkRows(_ result: inout StoreVerification) throws(SQLiteError) {
        var hours: [Int64: (plays: Int64, lastArrival: Int64, lastReceivedAt: Int64)] = [:]
        for table in PlayTable.allCases {
            let select = try connection.prepare(
                "SELECT hour, hex(play_id), arrival, ended_ms, lag_ms FROM \(table.rawValue)")
            while try select.step() {
                let (hour, arrival) = (select.int(0), select.int(2))
                let receivedAt = hour &* PlayHour.length &+ select.int(3) &+ select.int(4)
                var sum = hours[hour] ?? (0, .min, .min)
                sum = (sum.plays + 1, max(sum.lastArrival, arrival), max(sum.lastReceivedAt, receivedAt))
                hours[hour] = sum
                guard let before, arrival > before.arrivals else { continue }
                if !unmark(arrival - before.arrivals) {
                    result.add(
                        .stranger(
                            "no line of the archive has made the row of play \(select.text(1)), arrival \(arrival)"))
                }
            }
        }
        let select = try connection.prepare("SELECT hour, plays, last_arrival, last_received_at FROM hours")
        while try select.step() {
            let hour = select.int(0)
            let sum = hours.removeValue(forKey: hour) ?? (0, 0, 0)
            let expected = [("plays", sum.0), ("last_arrival", sum.1), ("last_received_at", sum.2)]
            for (offset, (column, value)) in expected.enumerated() where !select.holds(offset + 1, value) {
                result.add("hour \(hour)", .init(column, value, select.words(offset + 1)))
            }
        }
        for (hour, sum) in hours.sorted(by: { $0.key < $1.key }) {
            result.add("hour \(hour)", .init("plays", sum.plays, "not there"))
        }
    }
}
