package import SQLite

/// What an error of a store means for whoever asked.
package struct StoreFailure: Sendable, Equatable {
    package enum Kind: Sendable {
        /// The question takes longer than it may.
        case tooLong
        /// Somebody else has the store for now, or it can't be reached.
        case passing
        /// The database is not there, not ours, or its bytes are not what was written.
        case damage
        /// Anything else that a store says.
        case other
    }

    package var kind: Kind
    /// The cause, without the statement, in which a filter's values may stand.
    package var reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// Nil for an error that is no store's.
    package init?(_ error: any Error) {
        guard let error = error as? any StoreError else { return nil }
        self = error.failure
    }
}

/// An error that a store throws.
package protocol StoreError: Error {
    var failure: StoreFailure { get }
}

extension SQLiteStoreError: StoreError {
    package var failure: StoreFailure {
        switch self {
        case .outOfPatience: StoreFailure(.tooLong, "it took too long")
        case .unreadable(_, let error): error.failure
        case .changed: StoreFailure(.passing, description)
        case .denied, .olderLayout: StoreFailure(.other, description)
        default: StoreFailure(.damage, description)
        }
    }
}

extension SQLiteError: StoreError {
    package var failure: StoreFailure {
        let kind: StoreFailure.Kind =
            if isInterrupted { .tooLong } else if isBusy { .passing } else if isDamage { .damage } else { .other }
        return StoreFailure(kind, "SQLite error \(code): \(message)")
    }
}

extension ColumnError: StoreError {
    package var failure: StoreFailure { StoreFailure(.damage, description) }
}

extension SessionHashError: StoreError {
    package var failure: StoreFailure { StoreFailure(.damage, description) }
}
