extension Play {
    /// An age, or a client's clock in the past, is believed up to so many ms: 30 days.
    package static let longestAge: Int64 = 30 * 86_400_000
    /// A client's clock may be so many ms ahead: 5 minutes.
    static let largestLead: Int64 = 5 * 60_000

    /// Decides when the play ended: by its age, else by a client's clock that can be believed, else at the receipt.
    mutating func date(receivedAt: Int64) {
        self.receivedAt = receivedAt
        endedAt = receivedAt
        clockSkewed = false
        if let ageMs {
            if ageMs <= Self.longestAge {
                endedAt = receivedAt &- ageMs
            } else {
                clockSkewed = true
            }
        } else if let clientEndedAt {
            if clientEndedAt >= receivedAt &- Self.longestAge, clientEndedAt <= receivedAt &+ Self.largestLead {
                endedAt = min(clientEndedAt, receivedAt)
            } else {
                clockSkewed = true
            }
        }
    }
}
