internal import Archive
internal import CommandLineTool
internal import Ingest
internal import PlayStore

/// Tells on standard error what a command found in a data directory that somebody should know.
enum OperatorNotice {
    @Sendable static func tell(_ notice: ArchiveNotice) {
        switch notice {
        case .tailCut(let file, let range): say("\(file) ended in the middle of a write: \(range.words) were cut off")
        case .emptyRemoved(let file): say("\(file) was empty and is removed")
        case .damageSetAside(let file, let range): say("\(file) is damaged: \(range.words) were set aside in damaged/")
        case .quarantineFull(let bytes):
            say("the quarantine is full (\(bytes) bytes): rejected events are only counted")
        // What fails, fails the command, which says so itself.
        case .commitsFail, .commitsSucceed, .fatal: break
        }
    }

    @Sendable static func tell(_ notice: FollowerNotice) {
        switch notice {
        case .unloadable(let line):
            say(
                "a line near byte \(line.place.offset) of file \(line.place.segment) of the archive can't be loaded: "
                    + line.reason)
        case .damaged(let damage): say("the archive is damaged: \(damage)")
        case .failed(let reason): say("the database could not be written, and is tried again: \(reason)")
        case .recovered: break
        }
    }

    private static func say(_ text: String) {
        StandardError.write("qoe: \(text)")
    }
}

extension Range<Int64> {
    fileprivate var words: String { "bytes \(lowerBound)–\(upperBound)" }
}

extension DataKeeper {
    /// The keeper of a data directory for one command, which tells what it finds on standard error.
    ///
    /// - Throws: what ``DataKeeper`` throws.
    static func telling(_ paths: DataPaths) throws -> DataKeeper {
        var committing = CommitterConfiguration()
        committing.onNotice = OperatorNotice.tell
        var following = FollowerConfiguration()
        following.onNotice = OperatorNotice.tell
        return try DataKeeper(paths.root, committing: committing, following: following, now: WallClock.now)
    }
}
