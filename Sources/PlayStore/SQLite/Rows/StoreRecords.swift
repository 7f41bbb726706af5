internal import Archive
internal import PlaybackEvents
package import SQLite

/// The small tables beside the plays.
final class StoreRecords {
    private let connection: SQLiteConnection
    private let addHour: SQLiteStatement
    private let addRepeats: SQLiteStatement
    private let addAccount: SQLiteStatement
    private let findSender: SQLiteStatement
    /// First entries by entry.
    private var senders: [UInt32: Int64] = [:]
    private static let mostSenders = 1 << 16
    private let addRejections: SQLiteStatement
    private let setPlace: SQLiteStatement
    private let setTotals: SQLiteStatement
    private let setClock: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        addHour = try connection.prepare(
            """
            INSERT INTO hours (hour, plays, last_arrival, last_received_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (hour) DO UPDATE SET
                plays = plays + excluded.plays,
                last_arrival = max(last_arrival, excluded.last_arrival),
                last_received_at = max(last_received_at, excluded.last_received_at)
            """)
        addRepeats = try connection.prepare(
            """
            INSERT INTO repeats (hour, duplicates, conflicts) VALUES (?, ?, ?)
            ON CONFLICT (hour) DO UPDATE SET
                duplicates = duplicates + excluded.duplicates,
                conflicts = conflicts + excluded.conflicts
            """)
        addAccount = try connection.prepare(
            """
            INSERT INTO sender_accounts
                (account, sender, sequence, made, dropped, rejected, received_at, first_arrival, arrivals, stored, contexts)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        findSender = try connection.prepare(
            """
            SELECT min(other.id) FROM senders AS own JOIN senders AS other ON other.sender_id = own.sender_id
            WHERE own.id = ?
            """)
        addRejections = try connection.prepare(
            """
            INSERT INTO rejections (hour, code, events) VALUES (?, ?, ?)
            ON CONFLICT (hour, code) DO UPDATE SET events = events + excluded.events
            """)
        setPlace = try connection.prepare("UPDATE log_places SET segment = ?, offset = ? WHERE log = ?")
        setTotals = try connection.prepare(
            """
            UPDATE totals SET arrivals = ?, accounts = ?, loaded = ?, duplicates = ?, conflicts = ?, unloadable = ?,
                pruned = ?, pruned_before = ?
            """)
        setClock = try connection.prepare("UPDATE totals SET last_received_at = ?, clock_credit = ?")
    }

    func positions() throws(SQLiteError) -> LogPositions {
        try Self.positions(connection)
    }

    /// How far a database of any layout has read the logs.
    static func positions(_ connection: SQLiteConnection) throws(SQLiteError) -> LogPositions {
        var positions = LogPositions()
        let select = try connection.prepare("SELECT log, segment, offset FROM log_places")
        while try select.step() {
            guard let log = LogKind(rawValue: select.text(0)) else { continue }
            positions[log] = LogPosition(segment: select.int(1), offset: select.int(2))
        }
        return positions
    }

    func totals() throws(SQLiteError) -> StoreTotals {
        var totals = StoreTotals()
        let select = try connection.prepare(
            "SELECT arrivals, accounts, loaded, duplicates, conflicts, unloadable, pruned, pruned_before FROM totals")
        guard try select.step() else { return totals }
        totals.arrivals = select.int(0)
        totals.accounts = select.int(1)
        totals.loaded = select.int(2)
        totals.duplicates = select.int(3)
        totals.conflicts = select.int(4)
        totals.unloadable = select.int(5)
        totals.pruned = select.int(6)
        totals.prunedBefore = select.intOrNil(7)
        return totals
    }

    /// What the receipts of the log have told of its server's clock.
    func clock() throws(SQLiteError) -> ReceiptClock {
        var steps: [ReceiptClock.Step] = []
        let select = try connection.prepare("SELECT moment, shift FROM clock_steps ORDER BY step")
        while try select.step() { steps.append(.init(moment: select.int(0), shift: select.int(1))) }
        let last = try connection.prepare("SELECT last_received_at, clock_credit FROM totals")
        guard try last.step() else { return ReceiptClock() }
        return ReceiptClock(
            last: last.intOrNil(0),
            credit: min(max(0, last.intOrNil(1) ?? ReceiptClock.mostCredit), ReceiptClock.mostCredit),
            steps: Array(steps.prefix(ReceiptClock.mostSteps)))
    }

    func set(_ clock: ReceiptClock, after before: ReceiptClock) throws(SQLiteError) {
        try setClock.run(clock.last, clock.credit)
        guard clock.steps != before.steps else { return }
        try connection.execute("DELETE FROM clock_steps")
        let insert = try connection.prepare("INSERT INTO clock_steps (step, moment, shift) VALUES (?, ?, ?)")
        for (number, step) in clock.steps.enumerated() { try insert.run(Int64(number), step.moment, step.shift) }
    }

    func add(_ tally: HourTally) throws(SQLiteError) {
        for (hour, plays) in tally.hours {
            try addHour.run(hour, plays.count, plays.lastArrival, plays.lastReceivedAt)
        }
        for (hour, repeats) in tally.repeats {
            try addRepeats.run(hour, repeats.duplicates, repeats.conflicts)
        }
    }

    func add(_ account: StoredAccount, _ arrived: StoredAccount.Arrived) throws {
        try arrived.bind(11, of: addAccount)
        try addAccount.run(
            account.number, try sender(account.sender), account.account.sequence, account.account.made,
            account.account.dropped, account.account.rejected, account.receivedAt, account.firstArrival,
            account.arrivals, arrived.stored)
    }

    /// The one entry that a sender's accounts go by, though its name may have several: the first.
    private func sender(_ entry: UInt32) throws(SQLiteError) -> Int64 {
        if let known = senders[entry] { return known }
        defer { findSender.reset() }
        try findSender.bind(1, Int64(entry))
        let first = try findSender.step() ? findSender.intOrNil(0) ?? Int64(entry) : Int64(entry)
        if senders.count >= Self.mostSenders { senders.removeAll(keepingCapacity: true) }
        senders[entry] = first
        return first
    }

    /// Forgets what a transaction that was rolled back, or a prune, may have made untrue.
    func forgetSenders() { senders.removeAll() }

    func add(_ rejections: RejectionTally) throws(SQLiteError) {
        for (key, events) in rejections.events {
            try addRejections.bind(1, key.hour)
            try addRejections.bind(2, key.code)
            try addRejections.bind(3, events)
            try addRejections.run()
        }
    }

    func set(_ positions: LogPositions) throws(SQLiteError) {
        for log in LogKind.followed {
            try setPlace.bind(1, positions[log].segment)
            try setPlace.bind(2, positions[log].offset)
            try setPlace.bind(3, log.rawValue)
            try setPlace.run()
        }
    }

    func set(_ totals: StoreTotals) throws(SQLiteError) {
        try setTotals.run(
            totals.arrivals, totals.accounts, totals.loaded, totals.duplicates, totals.conflicts, totals.unloadable,
            totals.pruned, totals.prunedBefore)
    }
}

extension SQLiteStatement {
    /// Binds integers to the parameters from the first on, and runs.
    package func run(_ values: Int64?...) throws(SQLiteError) {
        for (offset, value) in values.enumerated() { try bind(offset + 1, value) }
        try run()
    }
}
