internal import Archive
internal import CommandLineTool
import Foundation
internal import Ingest
internal import Platform
internal import PlaybackEvents
internal import PlayStore

/// `qoe erase`: one viewer's plays out of everything.
enum EraseCommand {
    static let command = Command(
        "erase", summary: "removes one viewer's plays from everything, for good",
        options: [
            CommonOptions.data, CommonOptions.store, CommonOptions.node,
            Option("session", "ID", help: "The plays of this session, and what players reported of it."),
            Option("play", "ID", help: "One play by its identifier."),
            Option("tag", "NAME=VALUE", help: "The plays with this tag, such as viewer=4711."),
            Option("dry-run", help: "Only says what would go, and changes nothing."),
        ],
        notes: """
            The plays go from the database, its columns and its write-ahead log, from the archive, the quarantine and
            players' reports, and from a ClickHouse store; damaged bytes of the days concerned go, too. Numbers and places
            stay. What is sent of them again is answered as ever, counted and not kept; neither rebuild nor
            replay-rejected nor fold brings them back, nor a backup as long as the newer folder erase/ is kept. The
            command prints how many plays, rows and lines went, and the files. Beside a server it leaves a request, which the
            server carries out with its own store, and waits. Killed at any moment, it is finished by the next start.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let target = try target(arguments)
        let paths = CommonOptions.data(arguments)
        try ExistingData.check(paths)
        let store = try CommonOptions.store(arguments)
        if arguments.flag("dry-run") {
            let text = try CommandFailure.translated { try DataEraser.count(target, in: paths, store: store) }
            try StandardOutput.write(text)
            return .success
        }
        let request = EraseFolder.Request(target)
        let notices = DataNotices()
        var committing = notices.committing
        committing.node = try CommonOptions.node(arguments)
        let report: String = try CommandFailure.translated {
            try carryOut(request, in: paths) {
                let keeper = try DataKeeper(
                    paths.root, store: store, committing: committing, following: notices.following,
                    folding: notices.folding, now: WallClock.now)
                defer { keeper.stop() }
                // What the logs have is loaded first: the counts are then those of all plays.
                try keeper.follower.followToEnd()
                let eraser = DataEraser(keeper)
                // What others have left goes first.
                for earlier in try EraseFolder(paths).requests() where earlier.id != request.id {
                    try eraser.run(earlier)
                }
                return try eraser.run(request)
            }
        }
        try StandardOutput.write(report)
        return notices.foundDamage ? .badData : .success
    }

    /// Has a request carried out, here or by the process that has the directory.
    private static func carryOut(
        _ request: EraseFolder.Request, in paths: DataPaths, _ erase: () throws -> String
    ) throws -> String {
        let folder = EraseFolder(paths)
        var hasAsked = false
        while true {
            if let report = try folder.text(request.id, .done) {
                try folder.remove(request.id, .done)
                return report
            }
            do {
                if !paths.hasWriter {
                    let report = try erase()
                    try folder.remove(request.id, .done)
                    return report
                }
            } catch DataDirectoryError.busy {
                // Another has taken it just now.
            }
            if !hasAsked {
                hasAsked = true
                try folder.add(request)
                StandardError.write("qoe: another process has the data directory: a server does it within a minute")
            }
            Thread.sleep(forTimeInterval: 0.2)
        }
    }

    private static func target(_ arguments: Arguments) throws(CommandError) -> ErasureTarget {
        let said = ["session", "play", "tag"].filter { arguments.isSaid($0) }
        guard said.count == 1, let text = arguments.text(said[0]) else {
            throw CommandError(
                .usage, "erase needs one of --session ID, --play ID and --tag NAME=VALUE (see qoe erase --help)")
        }
        switch said[0] {
        case "session":
            guard let target = ErasureTarget(.session, bytes: Array(text.utf8)) else {
                throw arguments.fault("session", "should be a session's identifier")
            }
            return target
        case "play":
            guard let id = Identifier128(uuidText: text) else {
                throw arguments.fault("play", "should be a UUID, such as 0198f2d0-0000-7000-8000-000000000001")
            }
            return .play(id)
        default:
            guard let target = ErasureTarget(.tag, bytes: Array(text.utf8)) else {
                throw arguments.fault("tag", "should be NAME=VALUE, such as viewer=4711")
            }
            return target
        }
    }
}
