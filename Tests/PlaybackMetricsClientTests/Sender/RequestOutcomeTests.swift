import Testing

@testable import PlaybackMetricsClient

@Suite("An answer's meaning")
struct RequestOutcomeTests {
    @Test("is fixed for every status", arguments: 100...599)
    func everyStatus(_ status: Int) {
        let expected: RequestOutcome =
            switch status {
            case 200...299: .delivered
            case 408, 429: .retry
            case 413: .halve
            case 501, 505: .refused
            case 500...599: .retry
            default: .refused
            }
        #expect(RequestOutcome(status: status, count: 2) == expected)
    }

    @Test("is the same for statuses that nobody should send", arguments: [Int.min, -1, 0, 99, 600, 999, Int.max])
    func oddStatus(_ status: Int) {
        #expect(RequestOutcome(status: status, count: 2) == .refused)
    }

    @Test("is to keep the batch when no response came")
    func none() {
        #expect(RequestOutcome(status: nil, count: 1) == .retry)
    }

    @Test("is to drop a single play that is too large")
    func single() {
        #expect(RequestOutcome(status: 413, count: 1) == .tooLarge)
    }
}
