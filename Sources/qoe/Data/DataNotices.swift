internal import Archive
internal import CommandLineTool
internal import Ingest
internal import PlayStore
internal import Synchronization

/// Says on standard error, a line each, what a command finds wrong with a data directory while it works on it.
final class DataNotices: Sendable {
    private let found = Atomic(false)

    /// Something is lost or can't be read: the command ends with ``ExitCode/badData``.
    var foundDamage: Bool { found.load(ordering: .relaxed) }

    var committing: CommitterConfiguration {
        var configuration = CommitterConfiguration()
        configuration.onNotice = note
        return configuration
    }

    var following: FollowerConfiguration {
        var configuration = FollowerConfiguration()
        configuration.onNotice = note
        return configuration
    }

    var folding: FoldConfiguration {
        var configuration = FoldConfiguration()
        configuration.onNotice = note
        return configuration
    }

    private func note(_ notice: FoldNotice) {
        switch notice {
        case .damaged(let damage): say("\(damage), passed over", isDamage: true)
        case .unreadable(let position, let reason):
            say(
                "a line after byte \(position.offset) of file \(position.segment) of reports can't be read: \(reason)",
                isDamage: true)
        case .limited: say("open plays took more memory than they may: a play may have become two")
        // What keeps failing ends the command with the same words.
        case .failed, .recovered: break
        }
    }

    private func note(_ notice: ArchiveNotice) {
        switch notice {
        case .tailCut(let file, let range):
            say("\(file): bytes \(Self.text(range)), a write that was never finished, cut off")
        case .damageSetAside(let file, let range):
            say("\(file): bytes \(Self.text(range)) can't be read, set aside in damaged/", isDamage: true)
        case .quarantineFull(let bytes):
            say("the quarantine is full (\(bytes) bytes): rejected events are only counted")
        case .fileGone(let file):
            say("\(file): removed or renamed while it was written", isDamage: true)
        // A commit that fails ends the command with the same words.
        case .emptyRemoved, .commitsFail, .commitsSucceed, .fatal: break
        }
    }

    private func note(_ notice: FollowerNotice) {
        switch notice {
        case .damaged(let damage): say("\(damage), passed over", isDamage: true)
        case .unloadable(let line):
            say(
                "line \(line.number) after byte \(line.position.offset) of file \(line.position.segment) can't be loaded: "
                    + line.reason, isDamage: true)
        case .raised(let raise): say("\(raise)")
        case .next(.placed): say("the database that was built beside the old one is in its place")
        case .next(.refused(let reason)): say("the database that was built beside this one is not used: \(reason)")
        case .restFailed(let reason): say("the database's write-ahead log stays as it is: \(reason)")
        case .storeDamaged(let reason): say("the database is damaged: \(reason)", isDamage: true)
        // What keeps failing ends the command with the same words.
        case .failed, .recovered, .storeSound, .pruned: break
        }
    }

    private func say(_ line: String, isDamage: Bool = false) {
        if isDamage { found.store(true, ordering: .relaxed) }
        StandardError.write("qoe: \(line)")
    }

    private static func text(_ range: Range<Int64>) -> String {
        "\(range.lowerBound)–\(range.upperBound)"
    }
}
