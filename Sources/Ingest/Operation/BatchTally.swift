internal import PlaybackEvents

/// What is counted of a batch once it is durable.
struct BatchTally: Sendable {
    let accepted: Int
    let unknownFields: Int
    /// When the last of the accepted events ended, ms since 1970; 0 without one.
    let newestEnd: Int64
    /// Events of those who were erased, accepted or rejected: nothing of them is kept.
    var erased = 0
    private(set) var rejected: [Rejection.Code: Int] = [:]

    init(_ batch: borrowing PlayBatch) {
        accepted = batch.plays.count
        unknownFields = batch.unknownFields
        var newest: Int64 = 0
        for play in batch.plays { newest = max(newest, play.endedAt) }
        newestEnd = newest
        for rejection in batch.rejections { rejected[rejection.code, default: 0] += 1 }
    }

    /// Every one of its events was rejected, and there was one.
    var isAllRejected: Bool { accepted == 0 && !rejected.isEmpty }

    var events: Int { accepted + rejected.values.reduce(0, +) }
}
