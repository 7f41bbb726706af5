internal import Archive
internal import CommandLineTool
internal import Ingest
internal import Platform
internal import PlaybackEvents
internal import PlayStore

/// `qoe replay-rejected`: the quarantine judged again.
enum ReplayRejectedCommand {
    static let command = Command(
        "replay-rejected", summary: "judges rejected events again, after a fix, and takes those that are good now",
        options: [
            CommonOptions.data, CommonOptions.store,
            Option(
                "code", "CODE",
                help: "Only events that were rejected with this code. One of \(codes.joined(separator: ", "))."),
        ],
        notes: """
            An event that is accepted now is archived and loaded under the request, the time of receipt and the region
            header that it came with. The quarantine keeps its line; running the command again changes nothing, so
            events of days of which the archive was pruned are left alone. A server may not run on the same data
            directory meanwhile.
            """)

    private static let codes = Rejection.Code.allCases.map(\.rawValue)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let code = try code(arguments)
        let store = try CommonOptions.store(arguments)
        return try CommandFailure.translated {
            let paths = CommonOptions.data(arguments)
            try ExistingData.check(paths)
            let notices = DataNotices()
            let keeper = try DataKeeper(
                paths.root, store: store, committing: notices.committing, following: notices.following,
                now: WallClock.now)
            defer { keeper.stop() }
            var isDamaged = false
            let replay = QuarantineReplay(keeper, code: code) { damage in
                StandardError.write("qoe: \(damage)")
                isDamaged = true
            }
            var bar = ProgressBar("judging", unit: "bytes")
            let counts = try replay.run { done, total in bar.update(done: Int(done), of: Int(total)) }
            bar.finish()
            try keeper.follower.followToEnd()
            try StandardOutput.write("\(text(counts))\n")
            return isDamaged || notices.foundDamage || counts.unreadable > 0 ? .badData : .success
        }
    }

    private static func text(_ counts: QuarantineReplay.Counts) -> String {
        var parts = ["\(counts.accepted) accepted now", "\(counts.replayedBefore) replayed before"]
        let rejected = counts.rejected.values.reduce(0, +)
        let codes = Rejection.Code.allCases.compactMap { code in
            counts.rejected[code].map { "\(code.rawValue) \($0)" }
        }
        parts.append("\(rejected) rejected again" + (codes.isEmpty ? "" : " (\(codes.joined(separator: ", ")))"))
        if counts.incomplete > 0 { parts.append("\(counts.incomplete) whose context was too long to be kept") }
        var text = "\(counts.judged) rejected events: \(parts.joined(separator: ", "))"
        if counts.tooOld > 0 {
            text += "\n\(counts.tooOld) events of days of which the archive was pruned: not judged again"
        }
        if counts.unloadable > 0 {
            text += "\n\(counts.unloadable) lines of the archive that could not be loaded: qoe rebuild tries them again"
        }
        if counts.badReports > 0 {
            text += "\n\(counts.badReports) lines of players that are no reports, of which only the beginning was kept"
        }
        if counts.erased > 0 { text += "\n\(Counted(counts.erased, "event")) of those who were erased: left out" }
        if counts.unreadable > 0 { text += "\n\(counts.unreadable) lines that are none of a quarantine" }
        return text
    }

    private static func code(_ arguments: Arguments) throws(CommandError) -> Rejection.Code? {
        guard let name = arguments.text("code") else { return nil }
        guard let code = Rejection.Code(rawValue: name) else {
            throw arguments.fault("code", "should be one of \(codes.joined(separator: ", "))")
        }
        return code
    }
}
