internal import Glibc

/// What a data directory knows of itself: whose it is, and which log files were made and removed.
///
/// It is a text of lines in `archive/manifest`. The first names the format and the directory, each further one is a
/// ``ManifestLine``; a later line overrides an earlier one of the same file. What follows the last LF is a write that was
/// never finished.
package struct Manifest: Sendable, Equatable {
    /// A file that was made.
    package struct File: Sendable, Equatable {
        package var name: SegmentName
        /// Set once it was removed on purpose: with so many lines.
        package var removedLines: Int64?
        /// The lines and bytes that it had when it was last closed; nil when that isn't known.
        package var closed: (lines: Int64, bytes: Int64)?

        /// Whether lines went with it.
        var isRemoved: Bool { removedLines ?? 0 > 0 }

        package static func == (one: File, other: File) -> Bool {
            one.name == other.name && one.removedLines == other.removedLines
                && one.closed?.lines == other.closed?.lines && one.closed?.bytes == other.closed?.bytes
        }
    }

    /// What one log's files are.
    package struct Log: Sendable, Equatable {
        /// By sequence.
        package fileprivate(set) var files: [Int64: File] = [:]
        /// Files that were given up: somebody has said that they don't come back.
        package fileprivate(set) var lost: [ClosedRange<Int64>] = []
        /// Files up to this one were not there when the manifest was made; 0: all were.
        package fileprivate(set) var before: Int64 = 0
        /// Whether the store had been pruned by then, so that those files were most likely pruned, too.
        package fileprivate(set) var isBeforePruned = false

        /// The lines of all files that were removed on purpose.
        package var removedLines: Int64 {
            files.values.reduce(0) { $0 &+ ($1.removedLines ?? 0) }
        }

        /// The latest file that was made.
        package var last: Int64 { max(before, files.keys.max() ?? 0, lost.map(\.upperBound).max() ?? 0) }

        package func isLost(_ sequence: Int64) -> Bool { lost.contains { $0.contains(sequence) } }
    }

    private static let format = "qoe-manifest 1 "
    /// The first line, in bytes.
    static let headerBytes = format.utf8.count + 32 + 1

    /// 128 random bits, in hexadecimal: the data directory's name for ever, which its stores carry, too.
    package let identity: String
    /// Servers whose files belong to this directory.
    package private(set) var nodes: Set<NodeName> = []
    private var logs: [LogKind: Log] = [:]
    /// Lines, counted from 1, that are none of a manifest.
    package private(set) var strangeLines: [Int] = []

    /// A new one.
    package init(identity: String) {
        self.identity = identity
    }

    /// - Returns: nil for what does not begin as a manifest does.
    init?(bytes: [UInt8]) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        // What no LF ends.
        lines.removeLast()
        guard let first = lines.first, first.hasPrefix(Self.format) else { return nil }
        let identity = first.dropFirst(Self.format.count)
        guard Self.isIdentity(identity) else { return nil }
        self.init(identity: String(identity))
        for (index, line) in lines.enumerated().dropFirst() {
            if let line = ManifestLine(line) { apply(line) } else { strangeLines.append(index + 1) }
        }
    }

    /// Reads the manifest of a data directory, beside whoever writes it.
    ///
    /// - Returns: nil where there is none, or one that can't be understood.
    /// - Complexity: O(*n*) for *n* files ever made.
    package static func read(_ paths: DataPaths) throws(FileError) -> Manifest? {
        try bytes(at: paths.manifest).flatMap { Manifest(bytes: $0) }
    }

    /// The identity of a data directory alone; nil where there is no manifest, or none that can be understood.
    package static func identity(of paths: DataPaths) throws(FileError) -> String? {
        try bytes(at: paths.manifest, most: headerBytes).flatMap { Manifest(bytes: $0) }?.identity
    }

    /// - Returns: nil where there is no such file.
    static func bytes(at path: String, most: Int = .max) throws(FileError) -> [UInt8]? {
        let file: OpenFile
        do {
            file = try OpenFile(path, O_RDONLY)
        } catch {
            if error.isMissing || error.code == ENOTDIR { return nil }
            throw error
        }
        var bytes = [UInt8](repeating: 0, count: min(most, Int(clamping: try file.size())))
        let count = try file.fill(&bytes, at: 0)
        return Array(bytes[..<count])
    }

    private static func isIdentity(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    package subscript(log: LogKind) -> Log { logs[log] ?? Log() }

    mutating func apply(_ line: ManifestLine) {
        switch line {
        case .node(let node): nodes.insert(node)
        case .made(let name):
            logs[name.kind, default: Log()].files[name.sequence] = File(name: name)
            nodes.insert(name.node)
        case .closed(let name, let lines, let bytes):
            logs[name.kind]?.files[name.sequence]?.closed = (lines, bytes)
        case .removed(let name, let lines):
            logs[name.kind, default: Log()].files[name.sequence, default: File(name: name)].removedLines = lines
        case .lost(let log, let range): logs[log, default: Log()].lost.append(range)
        case .before(let log, let last, let isPruned):
            logs[log, default: Log()].before = last
            logs[log, default: Log()].isBeforePruned = isPruned
        }
    }

    /// All of it, as it stands in a file.
    var text: String {
        var lines: [ManifestLine] = nodes.sorted { $0.description < $1.description }.map { .node($0) }
        for (kind, log) in logs.sorted(by: { $0.key.folder < $1.key.folder }) {
            if log.before > 0 { lines.append(.before(kind, log.before, isPruned: log.isBeforePruned)) }
            for file in log.files.values.sorted(by: { $0.name.sequence < $1.name.sequence }) {
                lines.append(.made(file.name))
                if let closed = file.closed {
                    lines.append(.closed(file.name, lines: closed.lines, bytes: closed.bytes))
                }
                if let removed = file.removedLines { lines.append(.removed(file.name, lines: removed)) }
            }
            lines += log.lost.map { .lost(kind, $0) }
        }
        return Self.format + identity + "\n" + lines.map { $0.description + "\n" }.joined()
    }
}

/// One line of a manifest.
package enum ManifestLine: Sendable, Equatable, CustomStringConvertible {
    /// Files of this server belong to the directory.
    case node(NodeName)
    /// The file has its first member, which is durable under its name.
    case made(SegmentName)
    /// Nothing is appended to the file for now: what it holds.
    case closed(SegmentName, lines: Int64, bytes: Int64)
    /// The file was removed on purpose, with so many lines.
    case removed(SegmentName, lines: Int64)
    /// Files that are missing were given up.
    case lost(LogKind, ClosedRange<Int64>)
    /// Files from the first to this one were not there when the manifest was made.
    case before(LogKind, Int64, isPruned: Bool)

    package init?(_ text: some StringProtocol) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let name = words.count > 1 ? SegmentName(label: words[1]) : nil
        let log = words.count > 1 ? LogKind.allCases.first { $0.folder == words[1] } : nil
        let numbers = words.dropFirst(2).map { Self.number($0) }
        switch (words.first, words.count) {
        case ("node", 2):
            guard let node = NodeName(words[1]) else { return nil }
            self = .node(node)
        case ("made", 2):
            guard let name else { return nil }
            self = .made(name)
        case ("closed", 4):
            guard let name, let lines = numbers[0], let bytes = numbers[1] else { return nil }
            self = .closed(name, lines: lines, bytes: bytes)
        case ("removed", 3):
            guard let name, let lines = numbers[0] else { return nil }
            self = .removed(name, lines: lines)
        case ("lost", 4):
            guard let log, let first = numbers[0], let last = numbers[1], first <= last else { return nil }
            self = .lost(log, first...last)
        case ("before", 4):
            guard let log, let last = numbers[0], words[3] == "pruned" || words[3] == "unknown" else { return nil }
            self = .before(log, last, isPruned: words[3] == "pruned")
        default: return nil
        }
    }

    /// Far from where sums would overflow.
    private static func number(_ text: some StringProtocol) -> Int64? {
        guard let number = Int64(text), (0...SegmentName.sequences.upperBound).contains(number), String(number) == text
        else { return nil }
        return number
    }

    package var description: String {
        switch self {
        case .node(let node): "node \(node)"
        case .made(let name): "made \(name.label)"
        case .closed(let name, let lines, let bytes): "closed \(name.label) \(lines) \(bytes)"
        case .removed(let name, let lines): "removed \(name.label) \(lines)"
        case .lost(let log, let range): "lost \(log.folder) \(range.lowerBound) \(range.upperBound)"
        case .before(let log, let last, let isPruned):
            "before \(log.folder) \(last) \(isPruned ? "pruned" : "unknown")"
        }
    }
}

extension SegmentName {
    /// The path below the data directory.
    package var label: String { kind.folder + "/" + path }

    /// - Parameter label: the path below the data directory.
    package init?(label: some StringProtocol) {
        let parts = label.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = LogKind.allCases.first(where: { $0.folder == parts[0] }) else { return nil }
        self.init(file: String(parts[2]), folder: String(parts[1]), kind: kind)
    }
}
