internal import Archive
internal import Gzip
internal import HTTPServing
internal import PlaybackEvents
internal import Synchronization

/// `POST /v1/playback-events`: a batch of plays, durable before the 202.
struct EventsRoute: Sendable {
    static let path = "/v1/playback-events"

    let access: SharedAccess
    let regionHeaders: RegionHeaders
    let limiter: RateLimiter?
    let budget: ByteBudget
    let gate: JudgingGate
    let committer: Committer
    let counters: IngestCounters
    /// Whether the store is too far behind for more plays.
    let isLagging: @Sendable () -> Bool
    let failures: FailureLog
    /// The server's.
    let version: String
    /// ms since 1970.
    let now: @Sendable () -> Int64

    /// Whether the body may come: decided by the head alone, so that what is refused is never read.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        switch access.verdict(for: .write, head) {
        case .keyMissing: return .refuse(HTTPResponse(401, AnswerBody.refusal("unauthorized", nil)))
        case .keyUnknown: return .refuse(HTTPResponse(403, AnswerBody.refusal("unauthorized", nil)))
        case .allowed(let name):
            if let wait = limiter?.take(0, key: name, at: .now) { return .refuse(tooFast(wait)) }
        }
        guard ContentRules.accepts(types: head.fields.all("content-type")) else {
            return .refuse(unsupported("the Content-Type should be application/json or text/plain, in UTF-8"))
        }
        guard ContentRules.encoding(of: head.fields.all("content-encoding")) != nil else {
            return .refuse(unsupported("the Content-Encoding should be gzip, identity or absent"))
        }
        if isLagging() { return .refuse(unavailable(.lag, "the database is too far behind the archive")) }
        return .body(limit: ContractLimits.body)
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        guard case .allowed(let keyName) = access.verdict(for: .write, request.head) else {
            return HTTPResponse(403, AnswerBody.refusal("unauthorized", nil))
        }
        do {
            guard ContentRules.encoding(of: request.head.fields.all("content-encoding")) == .gzip else {
                return try take(request.body, request.head, keyName: keyName)
            }
            return try withInflated(request.body) { body in
                try take(body, request.head, keyName: keyName)
            }
        } catch let fault as RequestFault {
            counters.count(fault.code)
            return HTTPResponse(fault.status, AnswerBody.fault(fault))
        } catch let fault as CommitFault {
            switch fault.reason {
            case .stopping: return unavailable(.stopping, "the server is stopping")
            case .queueFull, .tooLarge: return unavailable(.queue, "too many bytes wait to be written")
            case .full: return unavailable(.disk, "the disk is full")
            case .failed: return unavailable(.disk, "the disk failed")
            }
        } catch is NoRoom {
            return unavailable(.queue, "too many bytes are under way")
        } catch {
            return failures.response(to: error, of: "batch")
        }
    }

    private struct NoRoom: Error {}

    private func take(_ body: [UInt8], _ head: HTTPRequestHead, keyName: String) throws -> HTTPResponse {
        let receipt = Receipt(
            receivedAt: now(), requestId: .random(), regionHeader: regionHeaders.value(in: head))
        switch try gate.run({ try judge(body, receipt, keyName: keyName) }) {
        case .tooFast(let wait): return tooFast(wait)
        case .good(let lines, let answer, let tally):
            if lines.count > 0 {
                defer { budget.give(lines.count) }
                try committer.commit(lines)
            }
            counters.count(tally)
            if tally.isAllRejected { counters.count(.allRejected) }
            return answer
        }
    }

    /// A batch of which nothing but its lines is left, for which bytes of the budget are taken, and its answer once they are
    /// durable.
    private enum Judged {
        case good(LogLines, HTTPResponse, BatchTally)
        case tooFast(seconds: Int)
    }

    private func judge(_ body: [UInt8], _ receipt: Receipt, keyName: String) throws -> Judged {
        let batch = try RequestDecoder.decode(body, receipt: receipt)
        let tally = BatchTally(batch)
        if let wait = limiter?.take(max(1, tally.events), key: keyName, at: .now) { return .tooFast(seconds: wait) }
        let most = Intake.mostLineBytes(of: batch, bodyBytes: body.count)
        guard budget.take(most) else { throw NoRoom() }
        let lines = Intake.lines(of: batch, body)
        budget.give(most - lines.count)
        let answer =
            tally.isAllRejected
            ? HTTPResponse(400, AnswerBody.allRejected(batch))
            : HTTPResponse(202, AnswerBody.accepted(batch, version: version))
        return .good(lines, answer, tally)
    }

    /// Inflates into bytes taken from the budget: as many as the body's own trailer names, then, when that was not
    /// the truth or there are more members, as many as the contract allows.
    private func withInflated(_ body: [UInt8], _ use: ([UInt8]) throws -> HTTPResponse) throws -> HTTPResponse {
        let limit = ContractLimits.inflatedBody
        let named = body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        for room in named < limit ? [named, limit] : [limit] {
            guard budget.take(room) else { throw NoRoom() }
            defer { budget.give(room) }
            if let inflated = try inflated(body, limit: room) { return try use(inflated) }
        }
        throw RequestFault(.tooLarge, "the body is larger than \(limit) bytes after decompression", limit: limit)
    }

    /// The body's bytes, nil when there are more than the limit.
    private func inflated(_ body: [UInt8], limit: Int) throws -> [UInt8]? {
        do {
            return try Gunzip.inflate(body, limit: limit)
        } catch {
            switch error {
            case .tooLarge: return nil
            case .outOfMemory: throw NoRoom()
            case .truncated: throw RequestFault(.invalidGzip, "the gzip stream ends before its end")
            case .invalid: throw RequestFault(.invalidGzip, "the body is not what gzip makes")
            }
        }
    }

    private func tooFast(_ seconds: Int) -> HTTPResponse {
        counters.count(.rate)
        return HTTPResponse(
            429, AnswerBody.refusal("rate_limited", "this key sends more than its rate"),
            fields: [RetryAfter.field(atLeast: seconds)])
    }

    private func unsupported(_ message: String) -> HTTPResponse {
        HTTPResponse(415, AnswerBody.refusal("unsupported_media_type", message))
    }

    func unavailable(_ reason: IngestCounters.Refusal, _ message: String) -> HTTPResponse {
        counters.count(reason)
        return HTTPResponse(
            503, AnswerBody.refusal("unavailable", message), fields: [RetryAfter.field(atLeast: 2)])
    }
}
