internal import SQLite

/// Holds the columns of a database against its rows, and the hashes of sessions against their texts.
struct ColumnVerifier {
    private let connection: SQLiteConnection
    private let rows: HourRows

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        rows = try HourRows(connection, loop: SQLiteRowLoop(connection))
    }

    /// Makes all columns once more and compares the bytes.
    ///
    /// - Complexity: linear in the plays that are in columns, 0.6–0.9 µs each.
    func check(_ result: inout StoreVerification) throws {
        try checkHashes(&result)
        let hours = try connection.prepare(
            """
            SELECT hour, plays, column_plays, column_arrival FROM hours WHERE column_plays IS NOT NULL ORDER BY hour
            """)
        let blobs = try connection.prepare("SELECT id, data FROM play_columns WHERE id BETWEEN ? AND ? ORDER BY id")
        let late = try connection.prepare(
            "SELECT count(*) FROM \(PlayTable.prompt.rawValue) WHERE hour = ? AND arrival > ?")
        var expected: Int64 = 0
        while try hours.step() {
            let (hour, plays, arrival) = (hours.int(0), hours.int(2), hours.int(3))
            // Plays that come next would be taken for some that are in the columns.
            if arrival > result.totals.arrivals {
                result.add(
                    "hour \(hour)",
                    .init("column_arrival", result.totals.arrivals, "\(arrival), which is still to come"))
            }
            let made: HourColumns
            do {
                guard PlayHour.possible.contains(hour) else { throw SQLiteError.impossibleRow }
                made = try HourColumns(of: hour, before: arrival, expecting: plays, from: rows)
            } catch {
                guard let words = Self.words(ofDamage: error) else { throw error }
                result.add(.damaged("\(words), in UTC hour \(hour) since 1970"))
                // Nobody can say what its blobs should be, so they count as they are.
                expected += try count(ofBlobsOf: hour)
                continue
            }
            result.compare("plays in columns of UTC hour \(hour)", made.plays, plays)
            expected += Int64(made.blobs.count)
            try compare(made, blobs, &result)
            late.reset()
            try late.bind(1, hour)
            try late.bind(2, arrival)
            if try late.step() {
                result.compare("rows of UTC hour \(hour) that belong to the delayed plays", 0, late.int(0))
            }
        }
        result.compare("blobs of columns", expected, try connection.integer("SELECT count(*) FROM play_columns"))
    }

    /// What is wrong with an hour's rows; nil for an error that is no damage of them.
    private static func words(ofDamage error: any Error) -> String? {
        if let error = error as? SessionHashError { return "\(error)" }
        return (error as? SQLiteError).flatMap { $0.isDamage ? $0.message : nil }
    }

    private func count(ofBlobsOf hour: Int64) throws(SQLiteError) -> Int64 {
        let ids = HourColumns.ids(of: hour)
        let select = try connection.prepare("SELECT count(*) FROM play_columns WHERE id BETWEEN ? AND ?")
        try select.bind(1, ids.lowerBound)
        try select.bind(2, ids.upperBound)
        return try select.step() ? select.int(0) : 0
    }

    private func compare(
        _ made: HourColumns, _ blobs: SQLiteStatement, _ result: inout StoreVerification
    ) throws(SQLiteError) {
        var found: [Int64: [UInt32]] = [:]
        let ids = HourColumns.ids(of: made.hour)
        blobs.reset()
        try blobs.bind(1, ids.lowerBound)
        try blobs.bind(2, ids.upperBound)
        while try blobs.step() { found[blobs.int(0)] = blobs.words(1) }
        for (id, words) in made.blobs where found[id] != words {
            result.add(.columnDiffers(hour: made.hour, column: ColumnBlobs.Key.name(ofId: id)))
        }
    }

    private func checkHashes(_ result: inout StoreVerification) throws {
        let hashes = try RunHashes(connection)
        let last = try connection.integer("SELECT coalesce(max(id), 0) FROM runs")
        do {
            try hashes.check(highest: last)
        } catch let error as SessionHashError {
            return result.add(.damaged("\(error)"))
        }
        let runs = try connection.prepare("SELECT id, session_id FROM runs ORDER BY id")
        var set = RunSet(in: 1...max(1, Int32(clamping: last)))
        while try runs.step() { set.insert(Int32(clamping: runs.int(0))) }
        runs.reset()
        var wrong: Int64 = 0
        var fault: SQLiteError?
        do {
            try hashes.forEach(of: set) { _, hash in
                do {
                    guard try runs.step() else { return }
                    if runs.withBytes(1, { RunHashes.hash(of: $0) }) != hash { wrong += 1 }
                } catch {
                    fault = error as? SQLiteError ?? fault
                }
            }
        } catch let error as SessionHashError {
            result.add(.damaged("\(error)"))
        }
        if let fault { throw fault }
        result.compare("hashes of sessions that are others' than the texts'", 0, wrong)
    }
}
