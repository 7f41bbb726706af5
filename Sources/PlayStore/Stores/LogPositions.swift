package import Archive

/// How far a store has read each of the two logs that it follows, ``LogKind/followed``.
package struct LogPositions: Sendable, Equatable {
    package var plays = LogPosition.beginning
    package var rejected = LogPosition.beginning

    package init() {}

    package subscript(log: LogKind) -> LogPosition {
        get {
            switch log {
            case .plays: plays
            case .rejected: rejected
            case .reports: preconditionFailure("no store follows the reports")
            }
        }
        set {
            switch log {
            case .plays: plays = newValue
            case .rejected: rejected = newValue
            case .reports: preconditionFailure("no store follows the reports")
            }
        }
    }
}
