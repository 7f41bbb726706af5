internal import Glibc

/// Reads every byte of all logs and says what is wrong, file by file. It changes nothing and may run beside a server.
package struct ArchiveVerifier: Sendable {
    private let paths: DataPaths

    package init(_ paths: DataPaths) {
        self.paths = paths
    }

    /// - Parameters:
    ///   - visit: gets the lines of each good member, in the log's order.
    ///   - progress: gets how many of how many bytes have been read, after each member.
    /// - Throws: what the system said of a file that can't be read, or what `visit` throws.
    /// - Complexity: O(bytes of all files); memory for one member.
    package func verify(
        visit: (LogKind, [UInt8]) throws -> Void = { _, _ in },
        progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
    ) throws -> ArchiveReport {
        var report = ArchiveReport()
        let inventory = try Inventory(paths)
        report.findings = inventory.findings
        let lists = LogKind.allCases.compactMap { kind in inventory.log(kind).map { (kind, $0.list) } }
        let total = try lists.reduce(0) { try $0 + size(of: $1.1) }
        var done: Int64 = 0
        for (kind, list) in lists {
            for stranger in list.strangers { report.findings.append(.misplaced(kind.folder + "/" + stranger)) }
            for segment in list.segments {
                let closed = inventory.manifest?[kind].files[segment.sequence]?.closed
                let isLast = segment == list.segments.last
                try walk(segment, of: list, isLast: isLast, closed, into: &report) { lines, bytes in
                    try visit(kind, lines)
                    done += bytes
                    progress(min(done, total), total)
                }
            }
        }
        for file in try paths.damagedFiles() { report.findings.append(.setAside("damaged/" + file)) }
        return report
    }

    private func size(of list: SegmentList) throws(FileError) -> Int64 {
        var bytes: Int64 = 0
        for segment in list.segments { bytes += try Folder.size(list.path(of: segment)) }
        return bytes
    }

    private func walk(
        _ segment: SegmentName, of list: SegmentList, isLast: Bool, _ closed: (lines: Int64, bytes: Int64)?,
        into report: inout ArchiveReport, _ visit: ([UInt8], Int64) throws -> Void
    ) throws {
        let label = segment.kind.folder + "/" + segment.path
        let file = try OpenFile(list.path(of: segment), O_RDONLY)
        let members = MemberReader(file, at: 0)
        let isCompacted = try OriginField.marks(file)
        // Behind the last good member, in the file as it was first written.
        var end: Int64 = 0
        let isGrowing = isLast && paths.hasWriter
        var tally = report[segment.kind]
        var lines: [UInt8] = []
        let (linesBefore, findingsBefore) = (tally.lines, report.findings.count)
        tally.files += 1
        pieces: while let piece = try members.nextPiece(into: &lines) {
            switch piece {
            case .member(let range):
                let count = lines.count { $0 == 0x0a }
                tally.members += 1
                tally.lines += count
                tally.lineBytes += Int64(lines.count)
                if isCompacted {
                    let field = try OriginField.read(file, at: range.lowerBound)
                    let isRight =
                        field.map { $0.start == end && $0.lines == count && $0.memberBytes == range.count } ?? false
                    if !isRight { report.findings.append(.misplacedMember(file: label, range: range)) }
                    end = field?.end ?? end
                } else {
                    end = range.upperBound
                }
                tally.end = LogPosition(segment: segment.sequence, offset: end)
                if lines.last != 0x0a { report.findings.append(.unendedLine(file: label, range: range)) }
                try visit(lines, Int64(range.count))
                lines.removeAll(keepingCapacity: true)
            case .damage(let range, let kind, let isTail):
                if isTail && isGrowing, try grows(members, beyond: range) { continue }
                report.findings.append(.damage(LogDamage(file: label, range: range, kind: kind)))
                if isTail { break pieces }
            }
        }
        let size = try file.size()
        tally.bytes += size
        if size == 0 && !isGrowing { report.findings.append(.emptyFile(label)) }
        report[segment.kind] = tally
        guard let closed, report.findings.count == findingsBefore else { return }
        let length = isCompacted ? end : size
        if length < closed.bytes {
            let found = ("\(closed.bytes) bytes", "it has \(length) bytes")
            report.findings.append(.shortened(segment, expected: found.0, found: found.1))
        } else if length == closed.bytes, Int64(tally.lines - linesBefore) != closed.lines {
            let found = ("\(closed.lines)", "it has \(tally.lines - linesBefore) lines")
            report.findings.append(.shortened(segment, expected: found.0, found: found.1))
        }
    }

    /// Whether a server was writing what looked like a damaged tail. A write shows half-done for far less than 0.1 s.
    private func grows(_ members: MemberReader, beyond tail: Range<Int64>) throws(FileError) -> Bool {
        var lines: [UInt8] = []
        for _ in 0..<50 {
            usleep(2_000)
            members.seek(to: tail.lowerBound)
            let outcome = try members.next(into: &lines)
            members.seek(to: tail.lowerBound)
            if outcome == .member || outcome == .end { return true }
        }
        return false
    }
}

/// What ``ArchiveVerifier`` found.
package struct ArchiveReport: Sendable, Equatable {
    /// One log in figures.
    package struct Tally: Sendable, Equatable {
        package var files = 0
        /// The files' bytes.
        package var bytes: Int64 = 0
        /// Good members: group commits.
        package var members = 0
        package var lines = 0
        /// The lines' bytes.
        package var lineBytes: Int64 = 0
        /// Behind the last good member.
        package var end = LogPosition.beginning

        package init() {}
    }

    package var plays = Tally()
    package var rejected = Tally()
    package var reports = Tally()
    package var findings: [ArchiveFinding] = []

    package init() {}

    package subscript(kind: LogKind) -> Tally {
        get {
            switch kind {
            case .plays: plays
            case .rejected: rejected
            case .reports: reports
            }
        }
        set {
            switch kind {
            case .plays: plays = newValue
            case .rejected: rejected = newValue
            case .reports: reports = newValue
            }
        }
    }
}
