/// What one request puts into the logs: all of it is durable, or the request is answered with an error.
package struct LogLines: Sendable {
    /// Lines for the plays' log, each ended by LF; empty when there are none.
    package var plays: [UInt8]
    /// Lines for the quarantine, each ended by LF; empty when there are none.
    package var rejected: [UInt8]
    /// Lines for the log of reports, each ended by LF; empty when there are none.
    package var reports: [UInt8]
    /// When the request was received, ms since 1970; its UTC day chooses the folder.
    package var receivedAt: Int64

    package init(plays: [UInt8] = [], rejected: [UInt8] = [], reports: [UInt8] = [], receivedAt: Int64) {
        self.plays = plays
        self.rejected = rejected
        self.reports = reports
        self.receivedAt = receivedAt
    }

    package var count: Int { plays.count + rejected.count + reports.count }

    subscript(kind: LogKind) -> [UInt8] {
        switch kind {
        case .plays: plays
        case .rejected: rejected
        case .reports: reports
        }
    }
}
