/// How long to wait after a failure: doubling from the first wait to the longest.
struct FollowerBackoff {
    private let first: Int
    private let longest: Int
    private(set) var failures = 0

    init(_ configuration: FollowerConfiguration) {
        first = max(1, configuration.firstRetryMs)
        longest = max(first, configuration.longestRetryMs)
    }

    /// Notes a failure.
    ///
    /// - Returns: ms to wait.
    mutating func fail() -> Int {
        let pause = failures < 16 ? min(longest, first << failures) : longest
        failures += 1
        return pause
    }

    mutating func succeed() {
        failures = 0
    }
}
