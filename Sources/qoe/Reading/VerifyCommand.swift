internal import Archive
internal import CommandLineTool
import Foundation
internal import Ingest
internal import PlayStore

/// `qoe verify`: is the data directory in order?
enum VerifyCommand {
    static let command = Command(
        "verify", summary: "reads archive, quarantine and database through, and says what is wrong",
        options: [CommonOptions.data, CommonOptions.store],
        notes: """
            Every member of the logs is inflated and checked, every value of the database is compared with the line of the
            archive that it came from, and the database is checked by SQLite. Damage is named by file and bytes, a wrong
            value by play and column. It changes nothing and may run
            beside a server, which gets half a minute to load what it has just taken. Exit code 1 when something is
            wrong.
            """)

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let paths = CommonOptions.data(arguments)
        try ExistingData.check(paths)
        let verifier = DataVerifier(paths, store: try CommonOptions.store(arguments)) { milliseconds in
            usleep(UInt32(milliseconds) * 1_000)
        }
        var bar = ProgressBar("reading", unit: "bytes")
        var isComparing = false
        let found = try CommandFailure.translated {
            try verifier.verify { step, done, total in
                if step == .comparing, !isComparing {
                    isComparing = true
                    bar.finish()
                    bar = ProgressBar("comparing", unit: "plays")
                }
                bar.update(done: Int(done), of: Int(total))
            }
        }
        bar.finish()
        try StandardOutput.write(text(found))
        return found.findings.isEmpty ? .success : .checkFailed
    }

    private static func text(_ found: DataVerification) -> String {
        var text = ""
        for log in LogKind.allCases {
            let tally = found.archive[log]
            text += "\(log.folder): \(tally.files) files, \(tally.bytes) bytes, \(tally.members) commits, "
            text += "\(tally.lines) lines, ends at \(position(tally.end))\n"
        }
        if let store = found.store {
            let totals = store.totals
            text += "database: \(Counted(totals.loaded - totals.pruned, "play")), "
            text += "\(Counted(totals.duplicates, "repeat")) "
            text += "(\(totals.conflicts) with other content), \(totals.unloadable) lines that can't be loaded, "
            text += "\(totals.pruned) plays pruned, has read up to \(position(store.positions.plays))\n"
        }
        let findings = found.findings
        if !findings.isEmpty {
            text += "found \(found.kinds.map { "\($0.count) \($0.name)" }.joined(separator: ", "))\n"
        }
        for finding in findings { text += "wrong: \(finding)\n" }
        return text + (findings.isEmpty ? "all is well\n" : "")
    }

    private static func position(_ position: LogPosition) -> String {
        "byte \(position.offset) of file \(position.segment)"
    }
}
