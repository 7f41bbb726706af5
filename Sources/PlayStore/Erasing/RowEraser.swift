internal import Archive
internal import Foundation
internal import PlaybackEvents
internal import SQLite

/// Takes somebody's plays out of the embedded database, inside one transaction.
///
/// - Complexity: reads the list of lines three times; memory for a line and for the rows of an hour.
final class RowEraser {
    private let connection: SQLiteConnection
    private let erasure: StoreErasure
    private let rows: PlayRows
    private let columns: ColumnKeeper
    private let records: StoreRecords
    private let clock: ReceiptClock
    private var comparison: RowComparison

    /// What goes, and the rows of which the line that made them was met.
    private let found: ErasedRowList
    private(set) var removed: Int64 = 0

    init(
        _ connection: SQLiteConnection, _ erasure: StoreErasure, rows: PlayRows, columns: ColumnKeeper,
        records: StoreRecords
    ) throws {
        self.connection = connection
        self.erasure = erasure
        self.rows = rows
        self.columns = columns
        self.records = records
        found = try ErasedRowList(path: erasure.rows)
        clock = try records.clock()
        comparison = RowComparison(try DictionaryTables(connection))
    }

    /// - Returns: the totals then.
    func run(_ totals: StoreTotals) throws -> StoreTotals {
        var totals = totals
        let isFirstTry = erasure.isFirstTry(totals)
        try findRows()
        if isFirstTry { try count(&totals) }
        guard try !found.isEmpty() else { return totals }
        try updateAccounts()
        try removeRows()
        totals.loaded -= removed
        let delete = try connection.prepare("DELETE FROM receipt_dated_plays WHERE play_id = ?")
        try found.forEachPlay { id in
            try delete.bind(1, id: id)
            try delete.run()
        }
        try DictionaryPruner(connection).run()
        try forgetRuns()
        try records.set(totals)
        return totals
    }

    /// Some of the plays of the erasure.
    func plays(most: Int) throws -> [Identifier128] { try found.plays(most: most) }

    // MARK: Finding

    private func findRows() throws {
        let condition = try ErasedRows.condition(of: erasure.target, on: connection)
        for table in PlayTable.allCases {
            let select = try condition.statement("SELECT hour, play_id, run FROM \(table.rawValue)", on: connection)
            while try select.step() { try found.add(hour: select.int(0), select.id(1), run: select.int(2)) }
        }
        // A repeat of an erased play may say another session than the first.
        try erasure.lines.forEachPlay { play in
            try found.add(play.id)
            guard let stored = StoredPlay(play.play, id: play.id, arrival: 0) else { return }
            var own: [(hour: Int64, run: Int64)] = []
            try rows.forEachOwnRow(of: stored) { row throws(SQLiteError) in
                if row.receivedAt == stored.receivedAt { own.append((row.int(.hour), row.int(.run))) }
            }
            for row in own { try found.add(hour: row.hour, stored.id, run: row.run) }
        }
    }

    // MARK: Counting

    /// Takes out of the counts what the lines had come to.
    private func count(_ totals: inout StoreTotals) throws {
        var repeats: [Int64: HourTally.Repeats] = [:]
        try forEachText { line in
            guard line.end <= erasure.end, case .play(let play) = line.entry.kind, line.fate != .kept,
                let stored = StoredPlay(play, id: line.id, arrival: 0)
            else { return }
            if try claim(stored) != nil { return }
            var conflicts: Bool?
            let compared = RowComparison.Line(play: play, stored: stored, text: line.text)
            try rows.forEachRow(of: stored, clock.hours(for: stored) ?? []) { row throws(SQLiteError) in
                if conflicts == nil { conflicts = try comparison.conflicts(compared, with: row) }
            }
            guard let conflicts else {
                // The row of the first was pruned, and counts as one that was loaded.
                guard totals.prunedBefore != nil, totals.pruned > 0 else { return }
                if line.fate == .erased {
                    totals.loaded -= 1
                    totals.pruned -= 1
                } else {
                    totals.duplicates -= 1
                }
                return
            }
            totals.duplicates -= 1
            totals.conflicts -= conflicts ? 1 : 0
            let hour = PlayHour(of: stored.receivedAt).number
            repeats[hour, default: .init()].duplicates += 1
            repeats[hour, default: .init()].conflicts += conflicts ? 1 : 0
        }
        let update = try connection.prepare(
            "UPDATE repeats SET duplicates = duplicates - ?, conflicts = conflicts - ? WHERE hour = ?")
        for (hour, repeats) in repeats { try update.run(repeats.duplicates, repeats.conflicts, hour) }
        try connection.execute("DELETE FROM repeats WHERE duplicates <= 0 AND conflicts <= 0")
        try found.forgetClaims()
    }

    private struct Text {
        var fate: ErasedLines.Fate
        var end: LogPosition
        var entry: LoggedPlays.Entry
        /// The play's own identifier or the one made for it.
        var id: Identifier128
        /// What the entry's slices refer to.
        var text: [UInt8]
    }

    private func forEachText(_ visit: (Text) throws -> Void) throws {
        var lines = LoggedPlays()
        try erasure.lines.forEach { line in
            lines.removeAll(keepingCapacity: true)
            try lines.append(line: line.text.span.bytes)
            guard var entry = lines.entries.first else { return }
            entry.index = line.index
            var id = entry.requestId
            if case .play(let play) = entry.kind {
                id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
            }
            try visit(Text(fate: line.fate, end: line.end, entry: entry, id: id, text: lines.text))
        }
    }

    /// Takes a line for the one that has made its row, unless another has before.
    ///
    /// - Returns: the row's delivery; nil for a line that has made none.
    private func claim(_ stored: StoredPlay) throws -> Int64? {
        var delivery: Int64?
        try rows.forEachOwnRow(of: stored) { row throws(SQLiteError) in
            guard delivery == nil, row.receivedAt == stored.receivedAt,
                try found.claim(hour: row.int(.hour), stored.id)
            else { return }
            delivery = row.int(.delivery)
        }
        return delivery
    }

    // MARK: Accounts

    /// What arrived with an account stays, and the places that the plays came from are those of the ones that are left.
    private func updateAccounts() throws {
        let find = try connection.prepare(
            """
            SELECT s.account FROM sender_accounts AS s JOIN senders AS n ON n.id = s.sender
            WHERE s.received_at = ? AND s.sequence = ? AND n.sender_id = ? AND s.stored IS NOT NULL ORDER BY s.account
            """)
        let update = try connection.prepare("UPDATE sender_accounts SET stored = ?, contexts = ? WHERE account = ?")
        var open: (request: Identifier128, account: Int64, arrived: StoredAccount.Arrived)?
        func close() throws {
            guard let account = open else { return }
            open = nil
            try account.arrived.bind(2, of: update)
            try update.bind(1, account.arrived.stored)
            try update.bind(3, account.account)
            try update.run()
        }
        try forEachText { line in
            if line.entry.requestId != open?.request { try close() }
            switch line.entry.kind {
            case .account(let values):
                try close()
                find.reset()
                try find.bind(1, line.entry.receivedAt)
                try find.bind(2, values.sequence)
                try find.bind(3, String(decoding: line.text[values.senderId.range], as: UTF8.self))
                while try find.step() {
                    guard try found.meet(account: find.int(0)) else { continue }
                    open = (line.entry.requestId, find.int(0), .init())
                    break
                }
                find.reset()
            case .play(let play):
                if line.fate == .erased { open?.arrived.stored += 1 }
                guard line.fate == .kept, let stored = StoredPlay(play, id: line.id, arrival: 0) else { return }
                if let delivery = try claim(stored) {
                    open?.arrived.add(context: UInt32(truncatingIfNeeded: delivery))
                }
            case .erased(let plays, let isRepeat):
                if !isRepeat { open?.arrived.stored += plays }
            }
        }
        try close()
        try found.forgetClaims()
    }

    // MARK: Removing

    private func removeRows() throws {
        let deletes = try PlayTable.allCases.map { table throws(SQLiteError) in
            try connection.prepare("DELETE FROM \(table.rawValue) WHERE hour = ? AND play_id = ?")
        }
        try found.forEachRow { hour, id in
            for delete in deletes {
                try delete.bind(1, hour)
                try delete.bind(2, id: id)
                try delete.run()
                removed += Int64(connection.changes)
            }
        }
        let hourRows = try HourRows(connection, loop: SQLiteRowLoop(connection))
        for hour in try found.hours() { try mend(hour, hourRows) }
    }

    /// Counts an hour anew, and makes its columns of the rows that are left.
    private func mend(_ hour: Int64, _ hourRows: HourRows) throws {
        var (plays, lastArrival, lastReceivedAt) = (Int64(0), Int64.min, Int64.min)
        for table in PlayTable.allCases {
            let select = try connection.prepare(
                "SELECT count(*), max(arrival), max(ended_ms + lag_ms) FROM \(table.rawValue) WHERE hour = ?")
            try select.bind(1, hour)
            guard try select.step(), select.int(0) > 0 else { continue }
            plays += select.int(0)
            lastArrival = max(lastArrival, select.int(1))
            lastReceivedAt = max(lastReceivedAt, hour * PlayHour.length + select.int(2))
        }
        let state = try connection.prepare(
            "SELECT column_arrival FROM hours WHERE hour = ? AND column_plays IS NOT NULL")
        try state.bind(1, hour)
        if try state.step() {
            let made = try HourColumns(of: hour, before: state.int(0), expecting: plays, from: hourRows)
            if made.plays > 0 { try columns.replace(made) } else { try columns.remove(hour) }
        }
        if plays == 0 {
            try connection.prepare("DELETE FROM hours WHERE hour = ?").run(hour)
        } else {
            try connection.prepare(
                "UPDATE hours SET plays = ?, last_arrival = ?, last_received_at = ? WHERE hour = ?"
            ).run(plays, lastArrival, lastReceivedAt, hour)
        }
    }

    /// The hash of a session that has no run any more goes, too.
    private func forgetRuns() throws {
        let find = try connection.prepare("SELECT 1 FROM runs WHERE id = ?")
        let hashes = try RunHashes(connection)
        try found.forEachRuns { runs in
            let gone = try runs.filter { run in
                defer { find.reset() }
                try find.bind(1, run)
                return try !find.step()
            }
            try hashes.forget(gone)
        }
        try hashes.prune()
    }
}

extension PlayStatements.Found {
    /// When the row's line was received, ms since 1970.
    fileprivate var receivedAt: Int64 { int(.hour) &* PlayHour.length &+ int(.endedMs) &+ int(.lagMs) }
}
