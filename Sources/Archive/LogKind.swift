/// Which of the three logs: all have the same form.
package enum LogKind: String, Sendable, CaseIterable {
    /// Accepted plays and senders' accounts.
    case plays
    /// The quarantine: rejected events.
    case rejected
    /// What players have reported by CMCD: plays are put together from it, and go into the plays' log.
    case reports

    /// Those that stores follow.
    package static let followed: [LogKind] = [.plays, .rejected]

    /// The log's folder in the data directory.
    package var folder: String {
        switch self {
        case .plays: "archive"
        case .rejected: "rejected"
        case .reports: "reports"
        }
    }
}
