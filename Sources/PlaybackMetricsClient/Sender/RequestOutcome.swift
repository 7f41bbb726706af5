/// What an answer means for the batch that it answers.
enum RequestOutcome: Sendable, Hashable {
    /// The endpoint has it; never sent again.
    case delivered
    /// The endpoint refuses it and would again: dropped.
    case refused
    /// Too large: sent again in halves.
    case halve
    /// Too large though it is one summary: dropped.
    case tooLarge
    /// Kept, and sent again later.
    case retry

    /// The meaning of a status.
    ///
    /// - Parameters:
    ///   - status: the status, `nil` when no response came.
    ///   - count: the number of summaries in the batch.
    init(status: Int?, count: Int) {
        // Nobody knows whether the endpoint has it: the play's id makes repeating harmless.
        guard let status else {
            self = .retry
            return
        }
        switch status {
        case 200..<300: self = .delivered
        // The request did not arrive in time; too many for now.
        case 408, 429: self = .retry
        case 413: self = count > 1 ? .halve : .tooLarge
        // The server will never be able to.
        case 501, 505: self = .refused
        // The server can't now.
        case 500..<600: self = .retry
        // Ours to mend, or somebody else's server: redirects are not followed.
        default: self = .refused
        }
    }
}
