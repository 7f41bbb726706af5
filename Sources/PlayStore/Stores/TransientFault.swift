package import ClickHouse
package import SQLite

/// A fault of a store that may pass by itself: another process holds it, or it can't be reached.
package protocol TransientFault: Error {
    var isTransient: Bool { get }
}

extension ClickHouseError: TransientFault {}

extension ClickHouseFault: TransientFault {
    package var isTransient: Bool { false }
}

extension SQLiteError: TransientFault {
    package var isTransient: Bool { isBusy }
}
