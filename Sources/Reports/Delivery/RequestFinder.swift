/// Finds the request that brought a play, by the play's number in the log.
struct RequestFinder {
    /// A request's plays, and whose they are.
    struct Request {
        var arrivals: ClosedRange<Int64>
        var tally: Int
    }

    private let requests: [Request]
    private let first: Int64
    /// As many stretches of the log as there are requests, each of a power of two of arrivals.
    private let shift: Int64
    /// The number of requests that begin before each stretch.
    private let before: [Int32]

    /// - Parameter requests: whose plays are not the same.
    init(_ requests: [Request]) {
        let sorted = requests.sorted { $0.arrivals.lowerBound < $1.arrivals.lowerBound }
        let first = sorted.first?.arrivals.lowerBound ?? 0
        let span = (sorted.last?.arrivals.lowerBound ?? 0) - first
        var shift: Int64 = 0
        while span >> shift > sorted.count { shift += 1 }
        var before: [Int32] = []
        for (index, request) in sorted.enumerated() {
            while before.count <= (request.arrivals.lowerBound - first) >> shift { before.append(Int32(index)) }
        }
        before.append(Int32(sorted.count))
        (self.requests, self.first, self.shift, self.before) = (sorted, first, shift, before)
    }

    /// - Complexity: that of a binary search in a stretch of the log.
    func tally(of arrival: Int64) -> Int? {
        guard arrival >= first, !requests.isEmpty else { return nil }
        let stretch = min(Int((arrival - first) >> shift), before.count - 2)
        var (low, high) = (Int(before[stretch]), Int(before[stretch + 1]))
        while low < high {
            let middle = (low + high) / 2
            if requests[middle].arrivals.lowerBound <= arrival { low = middle + 1 } else { high = middle }
        }
        guard low > 0, requests[low - 1].arrivals.contains(arrival) else { return nil }
        return requests[low - 1].tally
    }
}
