/// A sender's running totals as one request carried them (contract, "The sender's own account").
package struct SenderAccount: Sendable, Equatable {
    package var senderId: TextSlice
    package var sequence: Int64
    package var made: Int64
    package var dropped: Int64
    package var rejected: Int64

    package init(senderId: TextSlice, sequence: Int64, made: Int64, dropped: Int64, rejected: Int64) {
        self.senderId = senderId
        self.sequence = sequence
        self.made = made
        self.dropped = dropped
        self.rejected = rejected
    }
}
