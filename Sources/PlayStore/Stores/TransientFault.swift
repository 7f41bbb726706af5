package import SQLite

/// A fault of a store that may pass by itself: another process holds it, or it can't be reached.
package protocol TransientFault: Error {
    var isTransient: Bool { get }
}

extension SQLiteError: TransientFault {
    package var isTransient: Bool { isBusy }
}
