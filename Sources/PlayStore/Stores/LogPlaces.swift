package import Archive

/// How far a store has read each of the two logs.
package struct LogPlaces: Sendable, Equatable {
    package var plays = LogPlace.beginning
    package var rejected = LogPlace.beginning

    package init() {}

    package subscript(log: LogKind) -> LogPlace {
        get {
            switch log {
            case .plays: plays
            case .rejected: rejected
            }
        }
        set {
            switch log {
            case .plays: plays = newValue
            case .rejected: rejected = newValue
            }
        }
    }
}
