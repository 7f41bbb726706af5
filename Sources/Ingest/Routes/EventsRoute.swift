internal import Archive
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
    private let erased: ErasedPlays
    private let counters: IngestCounters
    /// Whether the store is too far behind for more plays.
    private let isLagging: @Sendable () -> Bool
    private let refusals: RequestRefusals
    /// The server's.
    private let version: String
    /// ms since 1970.
    private let now: @Sendable () -> Int64

    init(
        access: SharedAccess, regionHeaders: RegionHeaders, limiter: RateLimiter?, gate: JudgingGate,
        committer: Committer, erased: ErasedPlays, counters: IngestCounters, isLagging: @escaping @Sendable () -> Bool,
        refusals: RequestRefusals, version: String, now: @escaping @Sendable () -> Int64
    ) {
        self.access = access
        self.regionHeaders = regionHeaders
        self.limiter = limiter
        self.gate = gate
        self.committer = committer
        self.erased = erased
        self.counters = counters
        self.isLagging = isLagging
        self.refusals = refusals
        self.version = version
        self.now = now
    }

    /// Whether the body may come: decided by the head alone, so that what is refused is never read.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        let verdict = access.verdict(for: .write, head)
        guard case .allowed(let key) = verdict else { return verdict.turnAway }
        if let wait = limiter?.take(0, key: key, at: .now) { return .refuse(refusals.tooFast(wait)) }
        guard ContentRules.accepts(type: head.fields.sole("content-type")) else {
            return .refuse(refusals.unsupported("the Content-Type should be application/json or text/plain, in UTF-8"))
        }
        guard let encoding = ContentRules.encoding(of: head.fields.sole("content-encoding")) else {
            return .refuse(refusals.unsupported("the Content-Encoding should be gzip, identity or absent"))
        }
        if isLagging() { return .refuse(refusals.unavailable(.lag, "the database is too far behind the archive")) }
        return .take(
            HTTPAdmitted(
                bodyLimit: ContractLimits.body, owner: key, isKnown: key != AccessRules.anonymous
            ) { [self] request, room in respond(to: request, encoding, key: key, &room) })
    }

    private func respond(
        to request: HTTPRequest, _ encoding: ContentRules.Encoding, key: String, _ room: inout BudgetRoom
    ) -> HTTPResponse {
        refusals.guarding(limiter, key: key, "batch", &room) { room in
            switch encoding {
            case .identity: try take(request.body, request.head, key: key, &room)
            case .gzip: try take(try InflatedBody.bytes(of: request.body, &room), request.head, key: key, &room)
            }
        }
    }

    private func take(
        _ body: [UInt8], _ head: HTTPRequestHead, key: String, _ room: inout BudgetRoom
    ) throws -> HTTPResponse {
        try erased.taking { tombstones in try take(body, head, key: key, tombstones, &room) }
    }

    private func take(
        _ body: [UInt8], _ head: HTTPRequestHead, key: String, _ tombstones: Tombstones, _ room: inout BudgetRoom
    ) throws -> HTTPResponse {
        let receipt = Receipt(
            receivedAt: now(), requestId: .random(), regionHeader: regionHeaders.value(in: head))
        switch try gate.run({ try judge(body, receipt, key: key, tombstones, &room) }) {
        case .tooFast(let wait): return refusals.tooFast(wait)
        case .good(let lines, let answer, let tally):
            if lines.count > 0 {
                defer { room.give(lines.count) }
                try committer.commit(lines)
            }
            counters.count(tally, key: key)
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
        _ body: [UInt8], _ receipt: Receipt, key: String, _ tombstones: Tombstones, _ room: inout BudgetRoom
    ) throws -> Judged {
        var batch = try RequestDecoder.decode(body, receipt: receipt)
        var tally = BatchTally(batch)
        if let wait = limiter?.take(max(1, tally.events), key: key, at: .now) { return .tooFast(seconds: wait) }
        let most = Intake.mostLineBytes(of: batch, bodyBytes: body.count)
        guard room.take(most) else { throw NoRoom() }
        // The sender is told as if nobody had been erased.
        let answer =
            tally.isAllRejected
            ? HTTPResponse(400, AnswerBody.allRejected(batch))
            : HTTPResponse(202, AnswerBody.accepted(batch, version: version))
        tally.erased = tombstones.remove(from: &batch, body: body)
        let lines = Intake.lines(of: batch, body, isRefused: tally.isAllRejected)
        room.give(most - lines.count)
        guard room.take(answer.body.count) else { throw NoRoom() }
        return .good(lines, answer, tally)
    }
}
