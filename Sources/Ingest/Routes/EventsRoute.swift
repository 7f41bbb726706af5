internal import Archive
internal import Gzip
internal import HTTPServing
internal import PlaybackEvents

/// `POST /v1/playback-events`: a batch of plays, durable before the 202.
///
/// One object for all connections: the parts of a copy would be counted by every request.
final class EventsRoute: Sendable {
    static let path = "/v1/playback-events"

    private let access: SharedAccess
    private let regionHeaders: RegionHeaders
    private let limiter: RateLimiter?
    private let gate: JudgingGate
    private let committer: Committer
    private let counters: IngestCounters
    /// Whether the store is too far behind for more plays.
    private let isLagging: @Sendable () -> Bool
    private let failures: FailureLog
    /// The server's.
    private let version: String
    /// ms since 1970.
    private let now: @Sendable () -> Int64

    init(
        access: SharedAccess, regionHeaders: RegionHeaders, limiter: RateLimiter?, gate: JudgingGate,
        committer: Committer, counters: IngestCounters, isLagging: @escaping @Sendable () -> Bool,
        failures: FailureLog, version: String, now: @escaping @Sendable () -> Int64
    ) {
        self.access = access
        self.regionHeaders = regionHeaders
        self.limiter = limiter
        self.gate = gate
        self.committer = committer
        self.counters = counters
        self.isLagging = isLagging
        self.failures = failures
        self.version = version
        self.now = now
    }

    /// Whether the body may come: decided by the head alone, so that what is refused is never read.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        let verdict = access.verdict(for: .write, head)
        guard case .allowed(let key) = verdict else { return verdict.turnAway }
        if let wait = limiter?.take(0, key: key, at: .now) { return .refuse(tooFast(wait)) }
        guard ContentRules.accepts(type: head.fields.sole("content-type")) else {
            return .refuse(unsupported("the Content-Type should be application/json or text/plain, in UTF-8"))
        }
        guard let encoding = ContentRules.encoding(of: head.fields.sole("content-encoding")) else {
            return .refuse(unsupported("the Content-Encoding should be gzip, identity or absent"))
        }
        if isLagging() { return .refuse(unavailable(.lag, "the database is too far behind the archive")) }
        return .take(
            HTTPAdmitted(
                bodyLimit: ContractLimits.body, owner: key, isKnown: key != AccessRules.anonymous
            ) { [self] request, room in respond(to: request, encoding, key: key, &room) })
    }

    private func respond(
        to request: HTTPRequest, _ encoding: ContentRules.Encoding, key: String, _ room: inout BudgetRoom
    ) -> HTTPResponse {
        do {
            switch encoding {
            case .identity: return try take(request.body, request.head, key: key, &room)
            case .gzip: return try take(try inflated(request.body, &room), request.head, key: key, &room)
            }
        } catch let fault as RequestFault {
            // A body that fails as a whole costs as many events as would fill what it took to find that out.
            limiter?.charge(1 + room.count / ContractLimits.event, key: key, at: .now)
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

    private func take(
        _ body: [UInt8], _ head: HTTPRequestHead, key: String, _ room: inout BudgetRoom
    ) throws -> HTTPResponse {
        let receipt = Receipt(
            receivedAt: now(), requestId: .random(), regionHeader: regionHeaders.value(in: head))
        switch try gate.run({ try judge(body, receipt, key: key, &room) }) {
        case .tooFast(let wait): return tooFast(wait)
        case .good(let lines, let answer, let tally):
            if lines.count > 0 {
                defer { room.give(lines.count) }
                try committer.commit(lines)
            }
            counters.count(tally)
            if tally.isAllRejected { counters.count(.allRejected) }
            return answer
        }
    }

    /// A batch of which nothing but its lines is left, and its answer once they are durable, for both of which bytes of the
    /// budget are taken.
    private enum Judged {
        case good(LogLines, HTTPResponse, BatchTally)
        case tooFast(seconds: Int)
    }

    private func judge(
        _ body: [UInt8], _ receipt: Receipt, key: String, _ room: inout BudgetRoom
    ) throws -> Judged {
        let batch = try RequestDecoder.decode(body, receipt: receipt)
        let tally = BatchTally(batch)
        if let wait = limiter?.take(max(1, tally.events), key: key, at: .now) { return .tooFast(seconds: wait) }
        let most = Intake.mostLineBytes(of: batch, bodyBytes: body.count)
        guard room.take(most) else { throw NoRoom() }
        let lines = Intake.lines(of: batch, body)
        room.give(most - lines.count)
        let answer =
            tally.isAllRejected
            ? HTTPResponse(400, AnswerBody.allRejected(batch))
            : HTTPResponse(202, AnswerBody.accepted(batch, version: version))
        guard room.take(answer.body.count) else { throw NoRoom() }
        return .good(lines, answer, tally)
    }

    /// Inflates into bytes taken from the budget: as many as the body's own trailer names, then, when that was not
    /// the truth or there are more members, as many as the contract allows.
    private func inflated(_ body: [UInt8], _ room: inout BudgetRoom) throws -> [UInt8] {
        let limit = ContractLimits.inflatedBody
        let named = body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        var held = 0
        for most in named < limit ? [named, limit] : [limit] {
            room.give(held)
            room.note(size: most)
            guard room.take(most) else { throw NoRoom() }
            held = most
            if let inflated = try inflated(body, limit: most) { return inflated }
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

    /// The answer to a body that is longer than any may be.
    func tooLarge(_ message: String, limit: Int) -> HTTPResponse {
        counters.count(.tooLarge)
        return HTTPResponse(413, AnswerBody.fault(RequestFault(.tooLarge, message, limit: limit)))
    }
}
