internal import Archive
internal import Dispatch
internal import Gzip
package import HTTPServing
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
            ? HTTPResponse(400, ResponseBody.allRejected(batch))
            : HTTPResponse(202, ResponseBody.accepted(batch, version: version))
        tally.erased = tombstones.remove(from: &batch, body: body)
        let lines = Intake.lines(of: batch, body, isRefused: tally.isAllRejected)
        room.give(most - lines.count)
        guard room.take(answer.body.count) else { throw NoRoom() }
        return .good(lines, answer, tally)
    }
}

/// Lets a few requests be judged at a time: what a request becomes takes memory that nobody can know before, and more
/// judges than processors make none of them faster.
final class JudgingGate: Sendable {
    private let slots: DispatchSemaphore

    /// - Parameter slots: requests at a time; more than the largest bodies for which there is room together, so that a
    ///   small one finds a slot beside them.
    init(slots: Int) {
        self.slots = DispatchSemaphore(value: slots)
    }

    /// Waits for a slot and does the work in it.
    func run<Result>(_ work: () throws -> Result) rethrows -> Result {
        slots.wait()
        defer { slots.signal() }
        return try work()
    }
}

/// There is no room for the bytes of a request.
struct NoRoom: Error {}

/// A body as it was before gzip.
enum InflatedBody {
    /// Inflates into bytes taken from the budget: as many as the body's own trailer names, then, when that was not
    /// the truth or there are more members, as many as the contract allows.
    ///
    /// - Throws: ``RequestError``, ``NoRoom``.
    static func bytes(of body: [UInt8], _ room: inout BudgetRoom) throws -> [UInt8] {
        let limit = ContractLimits.inflatedBody
        let named = body.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        var held = 0
        for most in named < limit ? [named, limit] : [limit] {
            room.give(held)
            room.note(size: most)
            guard room.take(most) else { throw NoRoom() }
            held = most
            if let inflated = try bytes(of: body, limit: most) { return inflated }
        }
        throw RequestError(.tooLarge, "the body is larger than \(limit) bytes after decompression", limit: limit)
    }

    /// The body's bytes, nil when there are more than the limit.
    private static func bytes(of body: [UInt8], limit: Int) throws -> [UInt8]? {
        do {
            return try Gunzip.inflate(body, limit: limit)
        } catch {
            switch error {
            case .tooLarge: return nil
            case .outOfMemory: throw NoRoom()
            case .truncated: throw RequestError(.invalidGzip, "the gzip stream ends before its end")
            case .invalid: throw RequestError(.invalidGzip, "the body is not what gzip makes")
            }
        }
    }
}

/// What the contract says of `Content-Type` and `Content-Encoding`.
package enum ContentRules {
    package enum Encoding: Sendable, Equatable {
        case identity, gzip
    }

    /// Whether a body of this `Content-Type` is taken: JSON, plain text (what a browser's beacon sends) or no type at all,
    /// in UTF-8.
    package static func accepts(type: HTTPFieldValue) -> Bool {
        accepts(type, among: ["application/json", "text/plain"])
    }

    /// Whether a body of this `Content-Type` is taken as a player's reports: CMCD, plain text or no type at all, in UTF-8.
    package static func acceptsReports(type: HTTPFieldValue) -> Bool {
        accepts(type, among: ["application/cmcd", "application/cmcd+text", "text/plain"])
    }

    private static func accepts(_ type: HTTPFieldValue, among types: [String]) -> Bool {
        guard case .once(let type) = type else { return type == .absent }
        // What nearly everybody sends.
        if type == types[0] { return true }
        let parts = type.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard types.contains(parts[0].lowercased()) else { return false }
        return parts.dropFirst().allSatisfy { parameter in
            let pair = parameter.split(separator: "=", maxSplits: 1).map(trimmed)
            guard pair.count == 2, pair[0].lowercased() == "charset" else { return true }
            let charset = pair[1].filter { $0 != "\"" }.lowercased()
            return charset == "utf-8" || charset == "utf8"
        }
    }

    /// How a body of this `Content-Encoding` is encoded; nil for what is not taken: another one, or more than one.
    package static func encoding(of encoding: HTTPFieldValue) -> Encoding? {
        guard case .once(let encoding) = encoding else { return encoding == .absent ? .identity : nil }
        switch trimmed(Substring(encoding)).lowercased() {
        case "", "identity": return .identity
        case "gzip", "x-gzip": return .gzip
        default: return nil
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}
