package import Archive
internal import Glibc
package import Reports
package import SQLite

/// The embedded database as reports see it: read only, beside a server that writes to it.
package final class SQLiteReportStore: ReportStore {
    private let connection: SQLiteConnection
    /// Nil for a connection that somebody else opened.
    private let database: ReadOnlyDatabase?
    private let plays: SQLitePlayScanner?
    /// A second connection for a second thread.
    private let companion: CompanionConnection?
    /// Nil for a database that has nothing but the relations that queries see.
    package var scanner: (any PlayScanner)? { plays }

    package var dialect: SQLDialect { .sqlite }

    /// Opens the database of a data directory.
    ///
    /// - Parameter patience: how long all queries may take together; nil: as long as they take.
    /// - Throws: ``StoreFault`` when there is none, or it is not ours.
    package convenience init(data: DataPaths, patience: Duration? = nil) throws {
        let path = data.database
        do {
            try self.init(path: path, threads: Self.processors) { try ReadOnlyDatabase(data) }
            if let patience {
                connection.limit(to: patience)
                companion?.patience = patience
            }
        } catch let error as SQLiteError {
            throw StoreFault.unreadable(path: path, error)
        }
    }

    /// Opens a database that is there.
    ///
    /// - Parameters:
    ///   - threads: on how many at most a report counts plays, 1 or 2.
    ///   - fewestForTwo: the number of plays from which on two are used.
    /// - Throws: ``StoreFault`` when it is another application's or of another version, ``SQLiteError`` when there is none
    ///   or it can't be read.
    package convenience init(
        path: String, threads: Int = SQLiteReportStore.processors, fewestForTwo: Int64 = 50_000
    ) throws {
        try self.init(path: path, threads: threads, fewestForTwo: fewestForTwo) { try ReadOnlyDatabase(path: path) }
    }

    private init(
        path: String, threads: Int, fewestForTwo: Int64 = 50_000, opening: () throws -> ReadOnlyDatabase
    ) throws {
        // Its look at the file has to come before the file is opened.
        companion = threads > 1 ? CompanionConnection(path: path) : nil
        let database = try opening()
        self.database = database
        connection = database.connection
        plays = try SQLitePlayScanner(connection: connection, fewestForTwo: fewestForTwo)
    }

    /// For queries alone.
    package init(connection: SQLiteConnection) {
        self.connection = connection
        database = nil
        plays = nil
        companion = nil
    }

    /// Of the machine.
    package static var processors: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

    package func rows(_ sql: String, _ parameters: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws {
        let statement = try connection.prepare(sql)
        for (index, parameter) in parameters.enumerated() {
            switch parameter {
            case .integer(let value): try statement.bind(index + 1, value)
            case .text(let text): try statement.bind(index + 1, text)
            }
        }
        do {
            while try statement.step() { try visit(statement) }
        } catch let error as SQLiteError where error.isInterrupted {
            throw StoreFault.outOfPatience
        }
    }

    /// Lets several queries of one report see the same plays, while a server goes on writing.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        defer {
            plays?.companion = nil
            companion?.end()
            connection.rollBack()
        }
        plays?.companion = try companion?.begin(with: connection)
        if plays?.companion == nil { try connection.execute("BEGIN") }
        do {
            let result = try body()
            try database?.checkUnchanged()
            return result
        } catch let error as SQLiteError {
            if error.isInterrupted { throw StoreFault.outOfPatience }
            // What a writer has half changed reads like damage.
            try database?.checkUnchanged()
            throw error
        }
    }
}

extension SQLiteStatement: SQLRow {
    package func integer(_ column: Int) -> Int64 { int(column) }

    package func withText<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withBytes(column, body)
    }
}
