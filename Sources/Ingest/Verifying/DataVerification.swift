package import Archive
package import PlayStore

/// What ``DataVerifier`` found in a data directory.
package struct DataVerification: Sendable {
    package var archive = ArchiveReport()
    /// Lines of the quarantine that are none, in members that are whole. (Those of the archive are the database's to count.)
    package var strangeLines = 0
    /// Nil when the database could not be read at all.
    package var store: StoreVerification?
    /// Why it could not.
    package var storeFault: String?
    /// Bytes of the two logs that the database lacks and that nobody is about to load.
    package var unread: [LogKind: Int64] = [:]

    /// Everything that is wrong, a line each; empty when all is well.
    package var findings: [String] {
        var lines = archive.findings.map(\.description)
        if strangeLines > 0 { lines.append("rejected: \(strangeLines) lines that are none of a quarantine") }
        if let storeFault { lines.append(storeFault) }
        if let store {
            lines += store.findings.map(\.description)
            if store.count > store.findings.count {
                lines.append("… and \(store.count - store.findings.count) more of the database")
            }
        }
        for (log, bytes) in unread.sorted(by: { $0.key.folder < $1.key.folder }) {
            lines.append(
                "the database lacks the last \(bytes) bytes of \(log.folder): qoe serve and qoe load go on there")
        }
        return lines
    }
}
