import Foundation
import Testing

@testable import PlaybackMetricsClient

@Suite("A response's meaning")
struct RequestOutcomeTests {
    private func outcome(_ status: Int, _ body: String = #"{"accepted":2,"rejected":[]}"#, count: Int = 2)
        -> RequestOutcome
    {
        RequestOutcome(.status(status, body: body), count: count)
    }

    @Test("is fixed for every status", arguments: 100...599)
    func everyStatus(_ status: Int) {
        let expected: RequestOutcome =
            switch status {
            case 200...299: .delivered(rejected: 0)
            case 408, 429: .retry
            case 413: .halve
            case 501, 505: .refused
            case 500...599: .retry
            default: .refused
            }
        #expect(outcome(status) == expected)
    }

    @Test("is the same for statuses that nobody should send", arguments: [Int.min, -1, 0, 99, 600, 999, Int.max])
    func oddStatus(_ status: Int) {
        #expect(outcome(status) == .refused)
    }

    @Test("is to keep the batch when no response came")
    func none() {
        #expect(RequestOutcome(nil, count: 1) == .retry)
    }

    @Test("is to drop a single play that is too large")
    func single() {
        #expect(outcome(413, count: 1) == .tooLarge)
    }

    @Test(
        "is to keep the batch when a success is none of the endpoint's",
        arguments: [
            "", "ok", "[]", "<html>", "{}", #"{"accepted": null}"#, #"{"accepted": "2"}"#, #"{"rejected": []}"#,
        ])
    func foreign(_ body: String) {
        for status in [200, 202, 204, 299] { #expect(outcome(status, body) == .foreign) }
    }

    @Test(
        "counts the plays that were rejected alone, never more than there were",
        arguments: [
            (#"{"accepted": 1, "rejected": [{"index": 1}]}"#, 1), (#"{"accepted": 1, "rejected": 3}"#, 0),
            (#"{"accepted": 1, "rejected": null, "more": 1}"#, 0), (#"{"accepted": 0, "rejected": [{},{},{},{}]}"#, 2),
        ])
    func rejected(_ body: String, _ count: Int) {
        #expect(outcome(202, body) == .delivered(rejected: count))
    }

    @Test("tells a batch of which every play was rejected from one that could not be read")
    func all() {
        #expect(outcome(400, #"{"error": "all_rejected"}"#) == .rejected)
        #expect(outcome(400, #"{"error": "invalid_json"}"#) == .refused)
        #expect(outcome(404, #"{"error": "all_rejected"}"#) == .refused)
    }
}
