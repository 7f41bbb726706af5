internal import Archive
internal import PlaybackEvents
internal import SQLite

/// The small tables beside the plays.
final class StoreRecords {
    private let connection: SQLiteConnection
    private let addHour: SQLiteStatement
    private let addRepeats: SQLiteStatement
    private let addAccount: SQLiteStatement
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
                (account, sender, sequence, made, dropped, rejected, received_at, first_arrival, arrivals)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
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

    func places() throws(SQLiteError) -> LogPlaces {
        try Self.places(connection)
    }

    /// How far a database of any layout has read the logs.
    static func places(_ connection: SQLiteConnection) throws(SQLiteError) -> LogPlaces {
        var places = LogPlaces()
        let select = try connection.prepare("SELECT log, segment, offset FROM log_places")
        while try select.step() {
            guard let log = LogKind(rawValue: select.text(0)) else { continue }
            places[log] = LogPlace(segment: select.int(1), offset: select.int(2))
        }
        return places
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
            last: last.intOrNil(0), credit: last.intOrNil(1) ?? ReceiptClock.mostCredit,
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

    func add(_ account: StoredAccount) throws(SQLiteError) {
        try addAccount.run(
            account.number, Int64(account.sender), account.account.sequence, account.account.made,
            account.account.dropped,
            account.account.rejected, account.receivedAt, account.firstArrival, account.arrivals)
    }

    func add(_ rejections: RejectionTally) throws(SQLiteError) {
        for (key, events) in rejections.events {
            try addRejections.bind(1, key.hour)
            try addRejections.bind(2, key.code)
            try addRejections.bind(3, events)
            try addRejections.run()
        }
    }

    func set(_ places: LogPlaces) throws(SQLiteError) {
        for log in LogKind.followed {
            try setPlace.bind(1, places[log].segment)
            try setPlace.bind(2, places[log].offset)
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
    func run(_ values: Int64?...) throws(SQLiteError) {
        for (offset, value) in values.enumerated() { try bind(offset + 1, value) }
        try run()
    }
}
