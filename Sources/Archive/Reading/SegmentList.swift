/// The files of one log, in the log's order.
package struct SegmentList: Sendable {
    /// The log's folder.
    package let directory: String
    package private(set) var segments: [SegmentName] = []
    /// Paths below the log's folder that belong to no log: not named as its files are, or a sequence that another has.
    /// Hidden files (names that begin with a dot) are left out.
    package private(set) var strangers: [String] = []
    /// Files of servers that the directory's manifest doesn't know: somebody has put them there.
    package private(set) var foreign: [SegmentName] = []
    /// Files that are just being removed, or would be if nobody had killed who did it, with the lines that each had.
    package private(set) var leaving: [(name: SegmentName, lines: Int64)] = []
    /// Files that take the place of others once they are whole, or would if nobody had killed who writes them.
    private(set) var compacting: [CompactingName] = []

    /// Lists the folder as it is now.
    ///
    /// - Parameter manifest: the directory's, where it is known already; else it is read.
    /// - Complexity: O(*n* log *n*) for *n* files; opens no file but the manifest.
    package init(directory: String, kind: LogKind, manifest known: Manifest? = nil) throws(FileError) {
        self.directory = directory
        let manifest = if let known { known } else { try Manifest.read(DataPaths(ofLog: directory)) }
        let nodes = manifest?.nodes ?? []
        for folder in try Folder.names(directory) where !folder.hasPrefix(".") {
            guard folder.hasPrefix("day=") else {
                if kind != .plays || folder != "manifest" { strangers.append(folder) }
                continue
            }
            for file in try Folder.names(directory + "/" + folder) {
                if file.hasPrefix(".") {
                    if let leaving = LeavingName(file, folder: folder, kind: kind) {
                        self.leaving.append((leaving.name, leaving.lines))
                    } else if let name = CompactingName(file, folder: folder, kind: kind) {
                        compacting.append(name)
                    }
                } else if let name = SegmentName(file: file, folder: folder, kind: kind) {
                    // A manifest that knows no server yet is that of a directory that never had a file.
                    let isOurs = nodes.isEmpty || nodes.contains(name.node)
                    if isOurs { segments.append(name) } else { foreign.append(name) }
                } else {
                    strangers.append(folder + "/" + file)
                }
            }
        }
        segments.sort { ($0.sequence, $0.path) < ($1.sequence, $1.path) }
        dropRepeats()
    }

    /// Two files of one sequence have no order: the first by name counts.
    private mutating func dropRepeats() {
        var kept: [SegmentName] = []
        for segment in segments {
            if kept.last?.sequence == segment.sequence {
                strangers.append(segment.path)
            } else {
                kept.append(segment)
            }
        }
        segments = kept
    }

    package func path(of segment: SegmentName) -> String { directory + "/" + segment.path }

    /// The index of the first segment whose sequence is `sequence` or later.
    ///
    /// - Complexity: O(log *n*).
    package func index(from sequence: Int64) -> Int {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The segment of this sequence.
    package func segment(_ sequence: Int64) -> SegmentName? {
        let index = index(from: sequence)
        return index < segments.count && segments[index].sequence == sequence ? segments[index] : nil
    }

    /// The first segment after this sequence.
    package func segment(after sequence: Int64) -> SegmentName? {
        guard sequence < Int64.max else { return nil }
        let index = index(from: sequence + 1)
        return index < segments.count ? segments[index] : nil
    }
}

/// What a log file is called from when its removal has begun until it is gone: hidden, with its lines.
struct LeavingName {
    private static let middle = ".pruned-"

    var name: SegmentName
    var lines: Int64

    init(_ name: SegmentName, lines: Int64) {
        self.name = name
        self.lines = lines
    }

    init?(_ file: String, folder: String, kind: LogKind) {
        guard file.hasPrefix("."), let dash = file.lastIndex(of: "-"),
            file[...dash].hasSuffix(Self.middle), let lines = Int64(file[file.index(after: dash)...]), lines >= 0,
            let name = SegmentName(
                file: String(file[...dash].dropFirst().dropLast(Self.middle.count)), folder: folder, kind: kind)
        else { return nil }
        self.init(name, lines: lines)
    }

    /// The path below the log's folder.
    var path: String { "\(name.folder)/.\(name.file)\(Self.middle)\(lines)" }
}
