internal import Platform

/// Times several pieces of work of one thread in turn, round after round, so that whatever else the machine does meets all
/// of them alike. Counted is the thread's own time on a processor.
struct Rounds {
    /// Seconds by work, then by round.
    private(set) var seconds: [[Double]]

    /// - Parameter works: each is run once before the rounds begin, then once a round.
    init(_ count: Int, _ works: [() throws -> Void]) throws {
        seconds = Array(repeating: [], count: works.count)
        for work in works { try work() }
        for _ in 0..<count {
            for (index, work) in works.enumerated() {
                let start = SystemClock.ofThread
                try work()
                seconds[index].append(Double(SystemClock.ofThread - start) / 1e9)
            }
        }
    }

    /// The median of a work's times, in seconds.
    func median(_ work: Int) -> Double { seconds[work].median }

    /// How many times as long one work takes as another: the median of the ratios within each round.
    func ratio(_ work: Int, to other: Int) -> Double {
        zip(seconds[work], seconds[other]).map { $0 / $1 }.median
    }
}

extension [Double] {
    /// The middle value; of an even number of values the mean of the two in the middle; 0 of none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
