/// A data directory's log files, held against what its manifest says: what should be there and isn't, and what is and
/// shouldn't be. It opens no log file.
package struct Inventory: Sendable {
    /// One log's files.
    package struct Log: Sendable {
        package fileprivate(set) var list: SegmentList
        /// The missing ones, by number.
        package fileprivate(set) var missing: [ClosedRange<Int64>] = []
        /// The lines of all files that were removed on purpose.
        package fileprivate(set) var removedLines: Int64 = 0
        /// Whether files are gone of which nothing is known, pruned or lost.
        package fileprivate(set) var isBeginningUnknown = false
    }

    /// Nil for a directory that no program of a version with manifests has opened for writing yet.
    package private(set) var manifest: Manifest?
    private var logs: [LogKind: Log]
    /// What is wrong, in the logs' order.
    package private(set) var findings: [ArchiveFinding] = []

    /// So often a directory is looked at again that has changed meanwhile.
    private static let tries = 5

    /// Looks at a directory as it is now, beside whoever writes it.
    ///
    /// - Complexity: O(*n* log *n*) for *n* files, there or once made.
    package init(_ paths: DataPaths) throws(FileError) {
        var bytes = try Manifest.bytes(at: paths.manifest)
        for _ in 1..<Self.tries {
            self = try Inventory(paths, manifest: bytes)
            // A file that was pruned between the two looks would be one that is missing.
            let after = try Manifest.bytes(at: paths.manifest)
            if after == bytes { return }
            bytes = after
        }
        self = try Inventory(paths, manifest: bytes)
    }

    private init(_ paths: DataPaths, manifest bytes: [UInt8]?) throws(FileError) {
        manifest = bytes.flatMap { Manifest(bytes: $0) }
        if bytes != nil && manifest == nil { findings.append(.noManifest) }
        if let lines = manifest?.strangeLines, !lines.isEmpty { findings.append(.strangeManifest(lines)) }
        logs = [:]
        for kind in LogKind.allCases {
            let damaged = try DamagedList(directory: paths.damaged, kind: kind)
            let list = try SegmentList(directory: paths.log(kind), kind: kind, manifest: manifest)
            var log = Log(list: list)
            let known = manifest?[kind] ?? Manifest.Log()
            log.removedLines = known.removedLines
            // Of a pruned file that somebody has put back the lines are there.
            for segment in list.segments where known.files[segment.sequence]?.name == segment {
                log.removedLines -= known.files[segment.sequence]?.removedLines ?? 0
            }
            for (name, lines) in list.leaving where known.files[name.sequence]?.removedLines == nil {
                log.removedLines += lines
            }
            findings += list.foreign.map { .foreign($0) }
            findMissing(&log, kind, known, damaged.sequences)
            logs[kind] = log
        }
    }

    /// The log of that kind; every kind has one.
    package func log(_ kind: LogKind) -> Log? { logs[kind] }

    /// Whether a log has every file that it ever had.
    package func isWhole(_ kind: LogKind) -> Bool {
        guard let log = logs[kind], log.missing.isEmpty, !log.isBeginningUnknown else { return false }
        if let known = manifest?[kind], !known.lost.isEmpty || known.files.values.contains(where: \.isRemoved) {
            return false
        }
        return manifest != nil || log.list.segments.first?.sequence ?? 1 == 1
    }

    /// The latest day of which a file has gone, pruned or lost; nil while the log has all that it ever had.
    package func lastGoneDay(of kind: LogKind) -> UTCDay? {
        guard let log = logs[kind] else { return nil }
        let present = Set(log.list.segments.map(\.sequence))
        var days: [UTCDay] = []
        for (sequence, file) in manifest?[kind].files ?? [:] where !present.contains(sequence) {
            if file.removedLines != 0 { days.append(file.name.day) }
        }
        // A gap that no line names lies between two files, and its own are of the days of those, or between.
        for gap in log.missing + (manifest?[kind].lost ?? []) {
            let known = manifest?[kind].files.keys.count(where: gap.contains) ?? 0
            guard known < gap.count else { continue }
            let before = log.list.segments.last { $0.sequence < gap.lowerBound }
            days += [before, log.list.segment(after: gap.upperBound)].compactMap { $0?.day }
        }
        // Of files that went before there was a manifest nothing else is known.
        if let first = log.list.segments.first, manifest == nil ? first.sequence > 1 : log.isBeginningUnknown {
            days.append(first.day)
        }
        return days.max()
    }

    /// Findings after which a store that is made anew would lack plays, or have another server's.
    package var obstacles: [ArchiveFinding] {
        findings.filter { finding in
            switch finding {
            // Nothing of a store is made of reports.
            case .missing(let kind, _), .unknown(let kind, _): kind != .reports
            case .missingFile(let name), .foreign(let name): name.kind != .reports
            case .noManifest: true
            default: false
            }
        }
    }

    /// Lines that give up what is missing.
    package var givingUp: [ManifestLine] {
        LogKind.allCases.flatMap { kind in (logs[kind]?.missing ?? []).map { .lost(kind, $0) } }
    }

    /// Walks the numbers of files from the first on, stretch by stretch.
    private mutating func findMissing(
        _ log: inout Log, _ kind: LogKind, _ known: Manifest.Log, _ damaged: some Sequence<Int64>
    ) {
        var accounted = Set(log.list.segments.map(\.sequence))
        accounted.formUnion(log.list.leaving.map(\.name.sequence))
        accounted.formUnion(damaged)
        accounted.formUnion(known.files.filter { $0.value.removedLines != nil }.keys)
        var stretches = accounted.map { Stretch(range: $0...$0) } + known.lost.map { Stretch(range: $0) }
        for (sequence, file) in known.files where !accounted.contains(sequence) && !known.isLost(sequence) {
            stretches.append(Stretch(range: sequence...sequence, missing: file.name))
        }
        if known.before > 0 {
            let beginning = 1...known.before
            stretches.append(Stretch(range: beginning))
            if accounted.count(where: beginning.contains) < known.before {
                log.isBeginningUnknown = true
                if !known.isBeforePruned, !known.lost.contains(where: { $0.contains(known.before) }) {
                    findings.append(.unknown(kind, beginning))
                    log.missing.append(beginning)
                }
            }
        }
        stretches.sort { $0.range.lowerBound < $1.range.lowerBound }
        // Without a manifest nobody knows what has been before the first file.
        var next = manifest == nil ? stretches.first?.range.lowerBound ?? 1 : 1
        for stretch in stretches {
            if stretch.range.lowerBound > next {
                let gap = next...stretch.range.lowerBound - 1
                findings.append(.missing(kind, gap))
                log.missing.append(gap)
            }
            if let file = stretch.missing {
                findings.append(.missingFile(file))
                log.missing.append(stretch.range)
            }
            next = max(next, stretch.range.upperBound + 1)
        }
    }
}

/// Numbers of files that are accounted for, or the one of a file that is missing.
private struct Stretch {
    var range: ClosedRange<Int64>
    var missing: SegmentName?
}
