/// The files of one log, in the log's order.
package struct SegmentList: Sendable {
    /// The log's folder.
    package let directory: String
    package private(set) var segments: [SegmentName] = []
    /// Paths below the log's folder that belong to no log: not named as its files are, or a sequence that another has.
    /// Hidden files (names that begin with a dot) are left out.
    package private(set) var strangers: [String] = []

    /// Lists the folder as it is now.
    ///
    /// - Complexity: O(*n* log *n*) for *n* files; opens no file.
    package init(directory: String, kind: LogKind) throws(FileFault) {
        self.directory = directory
        for folder in try Folder.names(directory) where !folder.hasPrefix(".") {
            guard folder.hasPrefix("day=") else {
                strangers.append(folder)
                continue
            }
            for file in try Folder.names(directory + "/" + folder) where !file.hasPrefix(".") {
                if let name = SegmentName(file: file, folder: folder, kind: kind) {
                    segments.append(name)
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
