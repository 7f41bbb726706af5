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
    /// Erasures that were begun and are not done, or that ended meanwhile where something else is wrong.
    package var erasures = 0
    /// Bytes of the two logs that the database lacks and that nobody is about to load.
    package var unread: [LogKind: Int64] = [:]

    /// Findings that are of one kind.
    package struct Kind: Sendable {
        /// In the plural.
        package var name: String
        package var count: Int
        /// The first ten of them.
        package var lines: [String] = []
    }

    /// What is wrong, by kind, in the order in which kinds came up; empty when all is well.
    package var kinds: [Kind] {
        var kinds: [Kind] = []
        func add(_ line: String, _ name: String, count: Int? = nil) {
            let position = kinds.firstIndex { $0.name == name } ?? kinds.endIndex
            if position == kinds.endIndex { kinds.append(Kind(name: name, count: count ?? 0)) }
            if count == nil { kinds[position].count += 1 }
            if kinds[position].lines.count < StoreVerification.mostOfAKind { kinds[position].lines.append(line) }
        }
        for finding in archive.findings { add(finding.description, finding.kind) }
        if strangeLines > 0 {
            let line = "rejected: \(strangeLines) lines that are none of a quarantine"
            add(line, "lines that are none of a quarantine", count: strangeLines)
        }
        if erasures > 0 {
            add(
                "somebody is being erased, or was meanwhile: what follows may be of that. The server or the next start"
                    + " goes on with it; verify again when it is done",
                "erasures under way", count: erasures)
        }
        if let storeFault { add(storeFault, "faults of the database") }
        for finding in store?.findings ?? [] {
            add(finding.description, finding.kind, count: store?.counts[finding.kind])
        }
        for (log, bytes) in unread.sorted(by: { $0.key.folder < $1.key.folder }) {
            add(
                "the database lacks the last \(bytes) bytes of \(log.folder): qoe serve and qoe load go on there",
                "logs that are not read to their end")
        }
        return kinds
    }

    /// What is wrong, at most ten lines of a kind, and one that counts the others; empty when all is well.
    package var findings: [String] {
        kinds.flatMap { kind in
            // A line may stand for several.
            let others = kind.lines.count < StoreVerification.mostOfAKind ? 0 : kind.count - kind.lines.count
            return kind.lines + (others > 0 ? ["… and \(others) more \(kind.name)"] : [])
        }
    }
}
