/// What came of a load.
struct LoadResult: Sendable {
    /// Answers by status, over the whole run; 0 counts requests that got none.
    var answers: [Int: Int] = [:]
    /// Events of requests that were answered 202, over the whole run.
    var acceptedEvents = 0
    /// The same, within the counted time.
    var countedEvents = 0
    var countedRequests = 0
    /// Bytes of requests within the counted time.
    var countedBytes = 0
    /// Seconds that were counted.
    var seconds = 0.0
    /// From the first byte sent to the last received, in µs, within the counted time.
    var latencies: [UInt32] = []

    mutating func add(_ other: LoadResult) {
        answers.merge(other.answers) { $0 + $1 }
        acceptedEvents += other.acceptedEvents
        countedEvents += other.countedEvents
        countedRequests += other.countedRequests
        countedBytes += other.countedBytes
        seconds = max(seconds, other.seconds)
        latencies += other.latencies
    }

    var eventsPerSecond: Double { seconds > 0 ? Double(countedEvents) / seconds : 0 }
    var requestsPerSecond: Double { seconds > 0 ? Double(countedRequests) / seconds : 0 }

    /// The latency that so many percent of the answers did not exceed, in ms (nearest rank).
    func latency(percent: Double) -> Double {
        guard !latencies.isEmpty else { return 0 }
        let sorted = latencies.sorted()
        let rank = Int((Double(sorted.count) * percent / 100).rounded(.up))
        return Double(sorted[min(max(rank, 1), sorted.count) - 1]) / 1_000
    }

    /// Answers that were neither 202 nor 204.
    var refused: Int { answers.reduce(0) { $0 + ([202, 204].contains($1.key) ? 0 : $1.value) } }
}
