/// Which of the two logs: both have the same form.
package enum LogKind: String, Sendable, CaseIterable {
    /// Accepted plays and senders' accounts.
    case plays
    /// The quarantine: rejected events.
    case rejected

    /// The log's folder in the data directory.
    package var folder: String {
        switch self {
        case .plays: "archive"
        case .rejected: "rejected"
        }
    }
}
