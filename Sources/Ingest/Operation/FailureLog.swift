internal import HTTPServing
internal import PlayStore
internal import Synchronization

/// What a request is answered that failed by no fault of its client, and what the log says of it.
package struct RequestFailure: Sendable, Equatable {
    package var status: Int
    /// A word that programs can compare.
    package var word: String
    package var message: String
    /// For the log: the cause, without a word of the client's.
    package var reason: String
    /// The database's own bytes are wrong, or it is not there.
    package var isDamage = false

    private init(_ status: Int, _ word: String, _ message: String, _ reason: String, isDamage: Bool = false) {
        self.status = status
        self.word = word
        self.message = message
        self.reason = reason
        self.isDamage = isDamage
    }

    /// What passes by itself is 503, everything else 500: to ask again would not help.
    package init(_ error: any Error) {
        if let fault = error as? DamagedDatabase {
            self = .damaged(fault.description)
        } else if let failure = StoreFailure(error) {
            switch failure.kind {
            case .tooLong:
                self = .unavailable("the report takes too long: ask for fewer days or groups", failure.reason)
            case .passing: self = .unavailable("somebody else has the database, or it can't be reached", failure.reason)
            case .damage: self = .damaged(failure.reason)
            case .other: self = .unknown(failure.reason)
            }
        } else {
            self = .unknown("\(error)")
        }
    }

    private static func unavailable(_ message: String, _ reason: String) -> RequestFailure {
        RequestFailure(503, "unavailable", message, reason)
    }

    private static func damaged(_ reason: String) -> RequestFailure {
        RequestFailure(
            500, "database_damaged",
            "the database is damaged: 'qoe verify' says how, and 'qoe rebuild' makes it anew from the archive", reason,
            isDamage: true)
    }

    private static func unknown(_ reason: String) -> RequestFailure {
        RequestFailure(500, "internal_error", "it failed on the server, whose log says why", reason)
    }
}

/// What the follower has found wrong with the database.
struct DamagedDatabase: Error, CustomStringConvertible {
    let description: String
}

/// Answers and logs what failed; of the same failure that comes again and again a line a minute.
package final class FailureLog: Sendable {
    private struct Entry {
        var loggedAt: ContinuousClock.Instant
        var heldBack = 0
    }

    private static let quiet = Duration.seconds(60)
    /// Different failures that are remembered; beyond them each is logged.
    private static let most = 64

    private let log: EventLog
    private let damage: DamageList?
    private let entries = Mutex<[String: Entry]>([:])

    package convenience init(log: EventLog) {
        self.init(log: log, damage: nil)
    }

    init(log: EventLog, damage: DamageList?) {
        self.log = log
        self.damage = damage
    }

    /// Notes a failure.
    ///
    /// - Parameter part: what failed, in a word of the program's own.
    func failure(_ error: any Error, of part: String) -> RequestFailure {
        let failure = RequestFailure(error)
        // What the follower has found stands in the health answer already, and goes from it when it is mended.
        note(failure, of: part, isKnown: error is DamagedDatabase, at: .now)
        return failure
    }

    /// Notes a failure and answers for it.
    ///
    /// - Parameter part: what failed, in a word of the program's own.
    func response(to error: any Error, of part: String) -> HTTPResponse {
        let failure = failure(error, of: part)
        let fields = failure.status == 503 ? [RetryAfter.field(atLeast: 5)] : []
        return HTTPResponse(failure.status, ResponseBody.refusal(failure.word, failure.message), fields: fields)
    }

    package func note(
        _ failure: RequestFailure, of part: String, isKnown: Bool = false, at now: ContinuousClock.Instant
    ) {
        if failure.isDamage, !isKnown { damage?.note(damagedDatabase: failure.reason) }
        let heldBack: Int? = entries.withLock { entries in
            let key = part + "\n" + failure.reason
            if var entry = entries[key], now - entry.loggedAt < Self.quiet {
                entry.heldBack += 1
                entries[key] = entry
                return nil
            }
            let heldBack = entries[key]?.heldBack ?? 0
            if entries.count >= Self.most { entries = entries.filter { now - $0.value.loggedAt < Self.quiet } }
            if entries.count < Self.most { entries[key] = Entry(loggedAt: now) }
            return heldBack
        }
        guard let heldBack else { return }
        let facts: KeyValuePairs = [
            "of": part, "status": "\(failure.status)", "reason": failure.reason, "heldBack": "\(heldBack)",
        ]
        if failure.status == 503 {
            log(.warning, "request failed", facts)
        } else {
            log(.error, "request failed", facts)
        }
    }
}
