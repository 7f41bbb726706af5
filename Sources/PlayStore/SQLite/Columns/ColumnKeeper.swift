internal import SQLite

/// Decides which hours get columns and when, and writes what ``ColumnMaker`` has made of them. Used with the connection that
/// writes, by whoever uses that.
///
/// An hour is closed when a play has been loaded that was received two hours after its end or later. From then on its plays
/// go to the table of the delayed ones, so that the rows of which its columns are made stay as they are.
final class ColumnKeeper {
    private let connection: SQLiteConnection
    let maker: ColumnMaker
    private let state: SQLiteStatement
    private let removal: SQLiteStatement
    private let insertion: SQLiteStatement
    private let note: SQLiteStatement
    private let isOn: Bool

    /// Hours up to this one are closed.
    private(set) var closed = Int64.min
    /// Hours that may want columns once they are closed, the latest first.
    private var waiting: [Int64] = []
    /// Hours of which columns are being made.
    private var underWay: [ColumnMaker.Job] = []
    /// What has been made and not yet committed.
    private var made: [HourColumns] = []
    /// Why columns could not be made; for the next ``tidy()``.
    private var fault: (any Error)?

    /// Plays of the hours that are made at once: a few megabytes of blobs, a tenth of a second of work.
    private static let playsAtOnce: Int64 = 131_072

    /// - Parameters:
    ///   - path: the database's file, for a reader beside the connection.
    ///   - isOn: makes none without it.
    init(_ connection: SQLiteConnection, path: String, isOn: Bool = true) throws(SQLiteError) {
        self.connection = connection
        self.isOn = isOn
        maker = ColumnMaker(path: path)
        state = try connection.prepare("SELECT plays, column_plays FROM hours WHERE hour = ?")
        removal = try connection.prepare("DELETE FROM play_columns WHERE id BETWEEN ? AND ?")
        insertion = try connection.prepare("INSERT INTO play_columns (id, data) VALUES (?, ?)")
        note = try connection.prepare("UPDATE hours SET column_plays = ?, column_arrival = ? WHERE hour = ?")
        try reload()
    }

    /// Looks anew at what the tables hold.
    func reload() throws(SQLiteError) {
        let hours = try connection.prepare(
            "SELECT hour, plays, column_plays, last_received_at FROM hours ORDER BY hour DESC")
        waiting = []
        while try hours.step() {
            let (hour, columns) = (hours.int(0), hours.intOrNil(2))
            closed = max(closed, Self.closed(byReceiptAt: hours.int(3)))
            if columns != nil { closed = max(closed, hour) }
            if Self.wantsColumns(plays: hours.int(1), columns: columns) { waiting.append(hour) }
        }
    }

    private static func closed(byReceiptAt receivedAt: Int64) -> Int64 { PlayHour(of: receivedAt).number - 3 }

    /// - Parameter columns: how many of the plays are in columns, nil without.
    private static func wantsColumns(plays: Int64, columns: Int64?) -> Bool {
        guard let columns else { return plays >= HourColumns.fewestPlays }
        // Of a damaged database the two may be anything.
        return (plays &- columns) &* 10 > plays
    }

    // MARK: Commits

    /// Writes what has been made. Inside a transaction.
    func write() throws {
        take()
        for hour in made { try replace(hour) }
    }

    /// Puts an hour's columns into the place of those that it has. Inside a transaction.
    func replace(_ hour: HourColumns) throws {
        let ids = HourColumns.ids(of: hour.hour)
        try removal.run(ids.lowerBound, ids.upperBound)
        for (id, words) in hour.blobs {
            try insertion.bind(1, id)
            try insertion.bind(2, blob: words.span.bytes)
            try insertion.run()
        }
        try note.run(hour.plays, hour.arrival, hour.hour)
    }

    /// What was written is committed.
    ///
    /// - Parameter hours: those that got plays in the same transaction.
    func didCommit(_ hours: [Int64: HourTally.Plays]) {
        made = []
        for (hour, plays) in hours {
            closed = max(closed, Self.closed(byReceiptAt: plays.lastReceivedAt))
            wait(hour)
        }
        do {
            try begin()
        } catch {
            // Nothing is wrong with what was committed.
            fault = error
        }
    }

    private func wait(_ hour: Int64) {
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle] > hour { low = middle + 1 } else { high = middle }
        }
        if low == waiting.count || waiting[low] != hour { waiting.insert(hour, at: low) }
    }

    private var hasWaiting: Bool { isOn && !maker.isEnding && (waiting.last.map { $0 <= closed } ?? false) }

    /// Has the columns of the oldest hours made that want them, unless some are under way.
    private func begin() throws(SQLiteError) {
        guard underWay.isEmpty, made.isEmpty, hasWaiting, maker.isReady else { return }
        var sum: Int64 = 0
        while let hour = waiting.last, hour <= closed, sum < Self.playsAtOnce {
            waiting.removeLast()
            state.reset()
            try state.bind(1, hour)
            guard try state.step() else { continue }
            let plays = state.int(0)
            guard Self.wantsColumns(plays: plays, columns: state.intOrNil(1)) else { continue }
            underWay.append(ColumnMaker.Job(hour: hour, plays: plays))
            sum &+= max(0, plays)
        }
        state.reset()
        if !underWay.isEmpty { maker.begin(underWay) }
    }

    /// Takes what the maker has finished.
    private func take() {
        guard !underWay.isEmpty, let result = maker.take() else { return }
        switch result {
        case .success(let hours): made = hours
        case .failure(let error):
            if (error as? SQLiteError).map({ $0.isBusy || $0.isInterrupted }) ?? false {
                for job in underWay { wait(job.hour) }
            } else {
                // They come again when the database is opened anew.
                fault = error
            }
        }
        underWay = []
    }

    // MARK: Beside commits

    /// Writes what has been made, in a transaction of its own, and goes on with the next.
    ///
    /// - Returns: whether there is more to come.
    /// - Throws: what was in the way of making columns, once; what SQLite says.
    func tidy() throws -> Bool {
        take()
        if let fault {
            self.fault = nil
            throw fault
        }
        if !made.isEmpty {
            try connection.transaction { try write() }
            made = []
        }
        try begin()
        return !maker.isEnding && (!underWay.isEmpty || hasWaiting)
    }

    /// Makes all columns that are wanted.
    ///
    /// - Parameter isOver: asked now and then whether to give up.
    func finish(_ isOver: () -> Bool) throws {
        maker.isHurried = true
        defer { maker.isHurried = false }
        while !isOver(), try tidy() { maker.wait() }
    }

    /// Gives up what is under way, before rows go that its columns would be made of.
    func cancel() {
        guard !underWay.isEmpty || !made.isEmpty else { return }
        maker.cancel()
        for hour in underWay.map(\.hour) + made.map(\.hour) { wait(hour) }
        (underWay, made) = ([], [])
    }

    /// Removes the columns of an hour. Inside a transaction, when nothing is under way.
    func remove(_ hour: Int64) throws(SQLiteError) {
        let ids = HourColumns.ids(of: hour)
        try removal.run(ids.lowerBound, ids.upperBound)
        try note.run(nil, nil, hour)
    }
}
