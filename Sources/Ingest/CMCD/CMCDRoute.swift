internal import Archive
internal import HTTPServing
internal import PlayFolding
internal import PlaybackEvents
internal import Synchronization

/// `/v1/cmcd`: what players report of themselves in CMCD's event mode, durable before the 204.
///
/// Players can do nothing with a 400, so what can't be taken is set aside and the answer stays 204.
final class CMCDRoute: Sendable {
    static let path = "/v1/cmcd"
    static let methods = "GET, POST"
    /// The headers in which a player may report, each a part of one report.
    static let headers = ["cmcd-request", "cmcd-object", "cmcd-session", "cmcd-status"]

    private let isOn: Bool
    private let access: SharedAccess
    private let limiter: RateLimiter?
    private let gate: JudgingGate
    private let committer: Committer
    private let erased: ErasedPlays
    private let counters: CMCDCounters
    private let share: QuarantineShare
    /// Whether stores are too far behind for more.
    private let isLagging: @Sendable () -> Bool
    private let refusals: RequestRefusals
    /// ms since 1970.
    private let now: @Sendable () -> Int64

    /// - Parameter isOn: false answers 410 to everybody, which silences players for the rest of their session.
    init(
        isOn: Bool, access: SharedAccess, limiter: RateLimiter?, gate: JudgingGate, committer: Committer,
        erased: ErasedPlays, counters: CMCDCounters, share: QuarantineShare, isLagging: @escaping @Sendable () -> Bool,
        refusals: RequestRefusals, now: @escaping @Sendable () -> Int64
    ) {
        self.isOn = isOn
        self.access = access
        self.limiter = limiter
        self.gate = gate
        self.committer = committer
        self.erased = erased
        self.counters = counters
        self.share = share
        self.isLagging = isLagging
        self.refusals = refusals
        self.now = now
    }

    /// Whether the body may come: decided by the head alone, as for batches.
    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        guard isOn else { return .refuse(gone("reports are not taken here")) }
        let verdict = access.verdict(for: .write, head)
        if verdict == .keyWithdrawn { return .turnAway(gone("this key was withdrawn")) }
        guard case .allowed(let key) = verdict else { return verdict.turnAway }
        if let wait = limiter?.take(0, key: key, at: .now) { return .refuse(refusals.tooFast(wait)) }
        guard head.method == "GET" || ContentRules.acceptsReports(type: head.fields.sole("content-type")) else {
            return .refuse(
                refusals.unsupported(
                    "the Content-Type should be application/cmcd, application/cmcd+text or text/plain, in UTF-8"))
        }
        guard let encoding = ContentRules.encoding(of: head.fields.sole("content-encoding")) else {
            return .refuse(refusals.unsupported("the Content-Encoding should be gzip, identity or absent"))
        }
        if isLagging() { return .refuse(refusals.unavailable(.lag, "the database is too far behind the reports")) }
        return .take(
            HTTPAdmitted(bodyLimit: ContractLimits.body, owner: key, isKnown: key != AccessRules.anonymous) {
                [self] request, room in
                refusals.guarding(limiter, key: key, "reports", &room) { room throws in
                    let body =
                        encoding == .gzip ? try InflatedBody.bytes(of: request.body, &room) : request.body
                    return try take(body, request.head, key: key, &room)
                }
            })
    }

    private func gone(_ message: String) -> HTTPResponse { HTTPResponse(410, ResponseBody.refusal("gone", message)) }

    private func take(
        _ body: [UInt8], _ head: HTTPRequestHead, key: String, _ room: inout BudgetRoom
    ) throws -> HTTPResponse {
        try erased.taking { tombstones in try take(body, head, key: key, tombstones, &room) }
    }

    private func take(
        _ body: [UInt8], _ head: HTTPRequestHead, key: String, _ tombstones: Tombstones, _ room: inout BudgetRoom
    ) throws -> HTTPResponse {
        let receipt = Receipt(receivedAt: now(), requestId: .random())
        let judged = try gate.run { try judge(body, head, receipt, key: key, tombstones, &room) }
        switch judged {
        case .tooFast(let wait): return refusals.tooFast(wait)
        case .good(let lines, let tally):
            defer { room.give(lines.count) }
            do {
                if lines.count > 0 { try committer.commit(lines) }
            } catch {
                share.give(lines.rejected.count)
                throw error
            }
            counters.count(tally, key: key)
            let fields = head.method == "GET" ? [(name: "Cache-Control", value: "no-store")] : []
            return HTTPResponse(status: 204, fields: fields)
        }
    }

    private enum Judged {
        case good(LogLines, CMCDTally)
        case tooFast(seconds: Int)
    }

    private func judge(
        _ body: [UInt8], _ head: HTTPRequestHead, _ receipt: Receipt, key: String, _ tombstones: Tombstones,
        _ room: inout BudgetRoom
    ) throws -> Judged {
        let most = CMCDIntake.mostBytes(of: body)
        guard room.take(most) else { throw NoRoom() }
        let batch = Self.batch(body, head)
        if let wait = limiter?.take(max(1, batch.lines), key: key, at: .now) {
            room.give(most)
            return .tooFast(seconds: wait)
        }
        let parameters = head.query.map { ($0.name, $0.value) }
        let (lines, tally) = CMCDIntake.lines(
            of: batch, parameters: parameters, keyName: key == AccessRules.anonymous ? "" : key, receipt, share,
            tombstones)
        room.give(most - lines.count)
        return .good(lines, tally)
    }

    /// A player reports in the body, in the address or in headers; the first of these that says something counts.
    private static func batch(_ body: [UInt8], _ head: HTTPRequestHead) -> CMCDBatch {
        if !body.isEmpty { return CMCDParser.parse(body: body) }
        let target = Array(head.target.utf8)
        if let mark = target.firstIndex(of: UInt8(ascii: "?")),
            let batch = CMCDParser.parse(query: Array(target[(mark + 1)...]))
        {
            return batch
        }
        return CMCDParser.parse(headers: headers.flatMap { head.fields.allBytes($0) }) ?? CMCDBatch()
    }
}

/// What the intake of reports has done since the server started; every counter only rises.
final class CMCDCounters: Sendable {
    private let keys = Mutex<[String: Int]>([:])
    let lines = Atomic(0)
    let reports = Atomic(0)
    let ignoredKeys = Atomic(0)
    let ignoredParameters = Atomic(0)
    let laterVersions = Atomic(0)
    let linesTooMany = Atomic(0)
    let quarantined = Atomic(0)
    let quarantineDropped = Atomic(0)
    let erased = Atomic(0)

    /// - Parameter key: the name of the key that they came with.
    func count(_ tally: CMCDTally, key: String) {
        if tally.reports > 0 { keys.withLock { $0[key, default: 0] += tally.reports } }
        lines.add(tally.lines, ordering: .relaxed)
        reports.add(tally.reports, ordering: .relaxed)
        ignoredKeys.add(tally.ignoredKeys, ordering: .relaxed)
        ignoredParameters.add(tally.ignoredParameters, ordering: .relaxed)
        laterVersions.add(tally.laterVersions, ordering: .relaxed)
        linesTooMany.add(tally.linesTooMany, ordering: .relaxed)
        quarantined.add(tally.quarantined, ordering: .relaxed)
        quarantineDropped.add(tally.quarantineDropped, ordering: .relaxed)
        erased.add(tally.erased, ordering: .relaxed)
    }

    /// Reports by the name of their key; those of keys without any, too.
    func reportsByKey(_ names: [String]) -> [(String, Int)] {
        let counts = keys.withLock { $0 }
        return Set(names).union(counts.keys).sorted().map { ($0, counts[$0] ?? 0) }
    }
}
