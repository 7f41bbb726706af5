package import PlaybackEvents
package import SQLite

/// The prepared statements of one table of plays.
final class PlayStatements {
    /// A row that was found, lent until the next search in the same table.
    struct Found {
        fileprivate let statement: SQLiteStatement

        func int(_ column: PlayColumn) -> Int64 { statement.int(column.rawValue) }
        func intOrNil(_ column: PlayColumn) -> Int64? { statement.intOrNil(column.rawValue) }

        func holds(_ column: PlayColumn, _ value: Int64?) -> Bool { statement.holds(column.rawValue, value) }
        func words(_ column: PlayColumn) -> String { statement.words(column.rawValue) }

        /// Gives the row back: nothing may read in a table that is written to.
        func end() { statement.reset() }
    }

    private let connection: SQLiteConnection
    private let insertion: SQLiteStatement
    private let selection: SQLiteStatement
    /// The identifier of the play to be inserted, where the statement reads it.
    private let id: UnsafeMutableRawBufferPointer

    init(_ table: PlayTable, on connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        insertion = try connection.prepare(table.insertion)
        selection = try connection.prepare(table.selection)
        id = .allocate(byteCount: 16, alignment: 8)
        id.initializeMemory(as: UInt8.self, repeating: 0)
        try insertion.bind(PlayColumn.playId.parameter, borrowingBlob: UnsafeRawBufferPointer(id))
    }

    deinit {
        id.deallocate()
    }

    /// Inserts a play.
    ///
    /// - Returns: false when a row with its hour and identifier is there.
    func insert(_ play: StoredPlay, _ hour: PlayHour) throws(SQLiteError) -> Bool {
        play.id.store(in: id)
        try set(.hour, hour.number)
        try set(.arrival, play.arrival)
        try set(.delivery, play.delivery.reference)
        try set(.run, play.run.reference)
        try set(.startupMs, play.startupMs.stored)
        try set(.stalls, play.stalls.stored)
        try set(.stalledMs, play.stalledMs.stored)
        try set(.watchedMs, play.watchedMs.stored)
        try set(.avgBitrate, play.avgBitrate.stored)
        try set(.bytes, play.bytes.stored)
        try set(.error, play.error.reference)
        try set(.flags, play.flags)
        try set(.endedMs, hour.offset)
        try set(.lagMs, play.receivedAt - play.endedAt)
        try set(.waitedMs, play.waitedMs.stored)
        try set(.memoryBytes, play.memoryBytes.stored)
        try set(.attempt, play.attempt == 0 ? nil : Int64(play.attempt))
        try set(.accessLogStartupMs, play.accessLogStartupMs.stored)
        try set(.video, play.video.reference)
        try set(.tagSet, play.tagSet.reference)
        try set(.clockLead, play.clockLead)
        try set(.playerStalls, play.playerStalls.stored)
        try set(.playerStalledMs, play.playerStalledMs.stored)
        try insertion.run()
        return connection.changes == 1
    }

    private func set(_ column: PlayColumn, _ value: Int64?) throws(SQLiteError) {
        try insertion.bind(column.parameter, value)
    }

    /// The row of a play.
    func find(_ id: Identifier128, hour: Int64) throws(SQLiteError) -> Found? {
        selection.reset()
        try selection.bind(1, hour)
        try selection.bind(2, id: id)
        return try selection.step() ? Found(statement: selection) : nil
    }
}

extension Identifier128 {
    /// Writes the sixteen bytes, the first the highest.
    func store(in bytes: UnsafeMutableRawBufferPointer) {
        bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
        bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
}

extension SQLiteStatement {
    /// Binds an identifier as a blob of sixteen bytes.
    package func bind(_ index: Int, id: Identifier128) throws(SQLiteError) {
        let words: [2 of UInt64] = [id.high.bigEndian, id.low.bigEndian]
        try bind(index, blob: words.span.bytes)
    }
}
