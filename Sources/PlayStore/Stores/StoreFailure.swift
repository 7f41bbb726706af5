internal import ClickHouse
internal import SQLite

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

    /// Nil for an error that is no store's.
    package init?(_ error: any Error) {
        switch error {
        case let fault as StoreFault: self.init(fault)
        case let error as SQLiteError: self.init(error)
        case let error as ColumnError: self.init(.damage, error.description)
        case let error as SessionHashError: self.init(.damage, error.description)
        case let error as ClickHouseError: self.init(error.isTransient ? .passing : .other, error.description)
        case let fault as ClickHouseFault: self.init(.other, fault.description)
        default: return nil
        }
    }

    private init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    private init(_ fault: StoreFault) {
        switch fault {
        case .outOfPatience: self.init(.tooLong, "it took too long")
        case .unreadable(_, let error): self.init(error)
        case .changed: self.init(.passing, fault.description)
        case .denied, .olderLayout: self.init(.other, fault.description)
        default: self.init(.damage, fault.description)
        }
    }

    private init(_ error: SQLiteError) {
        let kind: Kind =
            if error.isInterrupted { .tooLong } else if error.isBusy { .passing } else if error.isDamage {
                .damage
            } else {
                .other
            }
        self.init(kind, "SQLite error \(error.code): \(error.message)")
    }
}
