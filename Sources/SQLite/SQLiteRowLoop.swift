internal import CSQLite

/// Hands over rows of whole numbers from inside SQLite's own loop, as the arguments of an aggregate function: stepping from
/// row to row and asking for each column takes half as long again.
///
/// One loop runs at a time; the connection may run other statements meanwhile.
package final class SQLiteRowLoop {
    private struct Frame {
        var visit: ((Span<Int64>) throws -> Void)?
        var fault: (any Error)?
        let rows: UnsafeMutablePointer<Int64>
        var columns = 0
        var count = 0
    }

    private static let name = "visit_row"
    private static let mostColumns = 127
    /// So many rows are read before they are visited, one after the other.
    private static let rowsAtOnce = 64

    private let connection: SQLiteConnection
    /// Of queries with parameters, which mostly run again.
    private var statements: [String: SQLiteStatement] = [:]
    /// SQLite keeps its address.
    private let frame: UnsafeMutablePointer<Frame>

    package init(_ connection: SQLiteConnection) throws(SQLiteError) {
        self.connection = connection
        frame = .allocate(capacity: 1)
        frame.initialize(to: Frame(rows: .allocate(capacity: Self.mostColumns * Self.rowsAtOnce)))
        let code = sqlite3_create_function_v2(
            connection.handle, Self.name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, frame, nil,
            { context, count, values in SQLiteRowLoop.step(context, count, values) },
            { context in sqlite3_result_null(context) }, nil)
        if code != SQLITE_OK { throw connection.error(code, in: Self.name) }
    }

    deinit {
        sqlite3_create_function_v2(connection.handle, Self.name, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
        frame.pointee.rows.deallocate()
        frame.deinitialize(count: 1)
        frame.deallocate()
    }

    /// Visits the rows of a query in the order in which SQLite finds them.
    ///
    /// - Parameters:
    ///   - columns: columns of integers; NULL comes as -1.
    ///   - source: what follows FROM.
    ///   - parameters: of the source.
    ///   - visit: gets as many numbers as there are columns, which are gone when it returns.
    /// - Throws: what SQLite says, or what `visit` throws, which ends the query.
    package func rows(
        _ columns: [String], from source: String, _ parameters: [Int64] = [],
        _ visit: (Span<Int64>) throws -> Void
    ) throws {
        precondition(columns.count <= Self.mostColumns)
        let statement = try statement(
            "SELECT \(Self.name)(\(columns.joined(separator: ", "))) FROM \(source)", parameters)
        defer { statement.reset() }
        try withoutActuallyEscaping(visit) { visit in
            frame.pointee.visit = visit
            frame.pointee.columns = columns.count
            frame.pointee.count = 0
            defer {
                frame.pointee.visit = nil
                frame.pointee.fault = nil
            }
            do {
                _ = try statement.step()
            } catch {
                throw frame.pointee.fault ?? error
            }
            try Self.visitRows(of: frame)
        }
    }

    private func statement(_ sql: String, _ parameters: [Int64]) throws(SQLiteError) -> SQLiteStatement {
        if parameters.isEmpty { return try connection.prepare(sql) }
        let statement: SQLiteStatement
        if let known = statements[sql] {
            statement = known
        } else {
            statement = try connection.prepare(sql)
            statements[sql] = statement
        }
        for (offset, value) in parameters.enumerated() { try statement.bind(offset + 1, value) }
        return statement
    }

    private static func step(
        _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let values, let frame = sqlite3_user_data(context)?.assumingMemoryBound(to: Frame.self) else { return }
        let row = frame.pointee.rows + frame.pointee.count * frame.pointee.columns
        for column in 0..<Int(count) {
            let value = sqlite3_value_int64(values[column])
            // NULL comes as 0, so only a 0 needs a second look.
            row[column] = value == 0 && sqlite3_value_type(values[column]) == SQLITE_NULL ? -1 : value
        }
        frame.pointee.count += 1
        guard frame.pointee.count == rowsAtOnce else { return }
        do {
            try visitRows(of: frame)
        } catch {
            frame.pointee.fault = error
            sqlite3_result_error(context, "the visit ended", -1)
        }
    }

    private static func visitRows(of frame: UnsafeMutablePointer<Frame>) throws {
        guard let visit = frame.pointee.visit else { return }
        let count = frame.pointee.count
        frame.pointee.count = 0
        let columns = frame.pointee.columns
        for row in 0..<count {
            try visit(UnsafeBufferPointer(start: frame.pointee.rows + row * columns, count: columns).span)
        }
    }
}
