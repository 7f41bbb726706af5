package import SQLite

/// A fault of a store that may pass by itself: another process holds it, or it can't be reached.
package protocol TransientError: Error {
    var isTransient: Bool { get }
}

extension SQLiteError: TransientError {
    package var isTransient: Bool { isBusy }
}
