internal import Archive
internal import HTTPServing
internal import PlaybackEvents

/// The answers to requests that are not taken, each counted: the same for batches and for reports.
final class RequestRefusals: Sendable {
    private let counters: IngestCounters
    private let failures: FailureLog

    init(counters: IngestCounters, failures: FailureLog) {
        self.counters = counters
        self.failures = failures
    }

    /// Takes a request whose body is there, and says of one that fails as a whole why.
    func guarding(
        _ limiter: RateLimiter?, key: String, _ what: String, _ room: inout BudgetRoom,
        _ take: (inout BudgetRoom) throws -> HTTPResponse
    ) -> HTTPResponse {
        let start = ContinuousClock.now
        defer { counters.count(time: .now - start) }
        do {
            return try take(&room)
        } catch let fault as RequestError {
            // A body that fails as a whole costs as many events as would fill what it took to find that out.
            limiter?.charge(1 + room.count / ContractLimits.event, key: key, at: .now)
            counters.count(fault.code)
            return HTTPResponse(fault.status, ResponseBody.fault(fault))
        } catch let fault as CommitError {
            switch fault.reason {
            case .stopping: return unavailable(.stopping, "the server is stopping")
            case .queueFull, .tooLarge: return unavailable(.queue, "too many bytes wait to be written")
            case .full: return unavailable(.disk, "the disk is full")
            case .failed: return unavailable(.disk, "the disk failed")
            }
        } catch is NoRoom {
            return unavailable(.queue, "too many bytes are under way")
        } catch {
            return failures.response(to: error, of: what)
        }
    }

    func tooFast(_ seconds: Int) -> HTTPResponse {
        counters.count(.rate)
        return HTTPResponse(
            429, ResponseBody.refusal("rate_limited", "this key sends more than its rate"),
            fields: [RetryAfter.field(atLeast: seconds)])
    }

    func unsupported(_ message: String) -> HTTPResponse {
        HTTPResponse(415, ResponseBody.refusal("unsupported_media_type", message))
    }

    func unavailable(_ reason: IngestCounters.Refusal, _ message: String) -> HTTPResponse {
        counters.count(reason)
        return HTTPResponse(
            503, ResponseBody.refusal("unavailable", message), fields: [RetryAfter.field(atLeast: 2)])
    }

    /// The answer to a body that is longer than any may be.
    func tooLarge(_ message: String, limit: Int) -> HTTPResponse {
        counters.count(.tooLarge)
        return HTTPResponse(413, ResponseBody.fault(RequestError(.tooLarge, message, limit: limit)))
    }
}
