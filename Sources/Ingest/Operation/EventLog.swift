internal import Archive
internal import Platform
internal import PlayStore

/// The server's log: one JSON object a line on standard error. Nothing of a request's text, key or address goes in.
package struct EventLog: Sendable {
    package enum Level: String, Sendable {
        case info, warning, error
    }

    private let write: @Sendable (String) -> Void
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - now: ms since 1970.
    ///   - write: takes one line without its end.
    package init(now: @escaping @Sendable () -> Int64, write: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.write = write
    }

    /// Writes one line.
    ///
    /// - Parameter event: what happened, in a few words that never change, so that logs can be searched for them.
    package func callAsFunction(_ level: Level, _ event: String, _ facts: KeyValuePairs<String, String> = [:]) {
        var line = JSONText()
        line.add("time", UTCTime.text(ofMs: now()))
        line.add("level", level.rawValue)
        line.add("event", event)
        for (key, value) in facts { line.add(key, value) }
        write(line.closed)
    }
}

/// Times of the log, as RFC 3339 in UTC.
enum UTCTime {
    static func text(ofMs ms: Int64) -> String {
        let (days, rest) = Int(ms).quotientAndRemainder(dividingBy: 86_400_000)
        let day = rest < 0 ? days - 1 : days
        let ofDay = Int(ms) - day * 86_400_000
        let time = [ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1_000 % 60].map { $0.padded(to: 2) }
        return "\(CivilDate(daysSince1970: day))T\(time.joined(separator: ":")).\((ofDay % 1_000).padded(to: 3))Z"
    }
}

extension EventLog {
    func note(_ notice: ArchiveNotice) {
        switch notice {
        case .tailCut(let file, let range):
            self(.warning, "torn tail cut", ["file": file, "from": "\(range.lowerBound)", "to": "\(range.upperBound)"])
        case .emptyRemoved(let file):
            self(.info, "empty file removed", ["file": file])
        case .damageSetAside(let file, let range):
            self(
                .error, "damage set aside", ["file": file, "from": "\(range.lowerBound)", "to": "\(range.upperBound)"])
        case .commitsFail(let fault):
            self(.error, "commits fail", ["reason": fault.description])
        case .commitsSucceed(let failed):
            self(.info, "commits succeed again", ["failed": "\(failed)"])
        case .fatal(let fault):
            self(.error, "archive needs a restart", ["reason": fault.description])
        case .fileGone(let file):
            self(.error, "archive file gone", ["file": file])
        case .quarantineFull(let bytes):
            self(.error, "quarantine full", ["bytes": "\(bytes)"])
        }
    }

    func note(_ notice: FoldNotice) {
        switch notice {
        case .failed(let reason):
            self(.warning, "fold failed", ["reason": reason])
        case .recovered(let failures):
            self(.info, "fold recovered", ["failures": "\(failures)"])
        case .unreadable(let position, let reason):
            self(
                .error, "report line can't be read",
                ["segment": "\(position.segment)", "offset": "\(position.offset)", "reason": reason])
        case .damaged(let damage):
            self(.error, "reports damaged", ["where": damage.description])
        case .limited:
            self(
                .warning, "open plays limited", ["reason": "they took more memory than they may: a play may become two"]
            )
        }
    }

    func note(_ notice: HousekeepingNotice) {
        switch notice {
        case .compacted(let file, let before, let after):
            self(.info, "file compacted", ["file": file, "before": "\(before)", "after": "\(after)"])
        case .left(let file, let reason):
            self(.warning, "file not compacted", ["file": file, "reason": reason])
        case .noRoom(let file, let needed, let free):
            self(.warning, "no room to compact", ["file": file, "needed": "\(needed)", "free": "\(free)"])
        case .pruned(let log, let removed, let before):
            self(
                .info, "old files removed",
                [
                    "log": log.folder, "files": "\(removed.files)", "bytes": "\(removed.bytes)", "before": "\(before)",
                ])
        case .failed(let reason):
            self(.warning, "housekeeping failed", ["reason": reason])
        case .recovered:
            self(.info, "housekeeping recovered")
        }
    }

    func note(_ notice: FollowerNotice) {
        switch notice {
        case .failed(let reason):
            self(.warning, "load failed", ["reason": reason])
        case .recovered(let failures):
            self(.info, "load recovered", ["failures": "\(failures)"])
        case .restFailed(let reason):
            self(.warning, "checkpoint failed", ["reason": reason])
        case .storeDamaged(let reason):
            self(.error, "database damaged", ["reason": reason])
        case .storeSound:
            self(.info, "database sound again")
        case .pruned(let plays, let day, let freeBytes):
            self(
                .info, "old plays removed",
                ["plays": "\(plays)", "before": "\(UTCDay(number: day))", "freeBytes": "\(freeBytes)"])
        case .unloadable(let line):
            self(
                .error, "line can't be loaded",
                [
                    "segment": "\(line.position.segment)", "offset": "\(line.position.offset)",
                    "line": "\(line.number)",
                    "reason": line.reason,
                ])
        case .raised(let raise):
            self(.info, "database raised", ["from": "\(raise.from)", "to": "\(raise.to)"])
        case .next(.placed):
            self(.info, "database put in place")
        case .next(.refused(let reason)):
            self(.warning, "database not put in place", ["reason": reason])
        case .damaged(let damage):
            self(.error, "archive damaged", ["where": damage.description])
        }
    }
}
