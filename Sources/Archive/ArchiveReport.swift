/// What ``ArchiveVerifier`` found.
package struct ArchiveReport: Sendable, Equatable {
    /// One log in figures.
    package struct Tally: Sendable, Equatable {
        package var files = 0
        /// The files' bytes.
        package var bytes: Int64 = 0
        /// Good members: group commits.
        package var members = 0
        package var lines = 0
        /// The lines' bytes.
        package var lineBytes: Int64 = 0
        /// Behind the last good member.
        package var end = LogPlace.beginning

        package init() {}
    }

    package var plays = Tally()
    package var rejected = Tally()
    package var reports = Tally()
    package var findings: [ArchiveFinding] = []

    package init() {}

    package subscript(kind: LogKind) -> Tally {
        get {
            switch kind {
            case .plays: plays
            case .rejected: rejected
            case .reports: reports
            }
        }
        set {
            switch kind {
            case .plays: plays = newValue
            case .rejected: rejected = newValue
            case .reports: reports = newValue
            }
        }
    }
}
