internal import PlaybackEvents

/// A sender's account as it waits for its row.
struct StoredAccount {
    /// Its place among the accounts of the log, from 1.
    var number: Int64
    /// The sender's number in its dictionary.
    var sender: UInt32
    var account: SenderAccount
    /// Ms since 1970.
    var receivedAt: Int64
    /// The arrival of the first play of its request, were there one.
    var firstArrival: Int64
    /// The plays of its request.
    var arrivals: Int64 = 0
}
