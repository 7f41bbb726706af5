/// A store of plays as the reports see it: something that runs a query of `Queries/` and gives back rows.
///
/// A store has the relations `plays`, `accounts`, `rejections` and `repeats`; each row of `plays` is one accepted play.
package protocol ReportStore {
    /// How the store spells what the portable part of SQL leaves open.
    var dialect: SQLDialect { get }

    /// Hands plays over one by one; nil for a store that groups them faster itself.
    var scanner: (any PlayScanner)? { get }

    /// Whether the numbers of plays and accounts grow with each that can be seen, as those of one log do that is loaded in order.
    var numbersGrow: Bool { get }

    /// Runs one query and hands over its rows one by one; a row is gone when `visit` returns.
    ///
    /// - Parameter parameters: the values of the query's `?`, in order.
    /// - Throws: what the store says of the query, or what `visit` throws, which ends the query.
    func rows(_ sql: String, _ parameters: [SQLValue], _ visit: (any SQLRow) throws -> Void) throws

    /// Runs `body`, whose queries all see the same plays where the store can promise it.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result
}

extension ReportStore {
    package var scanner: (any PlayScanner)? { nil }

    package var numbersGrow: Bool { true }

    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try body() }
}

/// A value bound to a `?` of a query.
package enum SQLValue: Sendable, Hashable {
    case integer(Int64)
    case text(String)
}

/// The current row of a query; columns are counted from 0.
package protocol SQLRow {
    /// A column of integers, 0 for NULL.
    func integer(_ column: Int) -> Int64
    func isNull(_ column: Int) -> Bool
    /// A column's text; an integer comes as its decimal digits, NULL as `""`.
    func text(_ column: Int) -> String
    /// Lends the UTF-8 bytes of a column's text without copying.
    func withText<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

extension SQLRow {
    /// A column of integers, nil for NULL.
    package func integerOrNil(_ column: Int) -> Int64? {
        isNull(column) ? nil : integer(column)
    }
}
