/// The files of a log as a reader sees them, listed anew when it comes to their end.
final class LogFiles {
    private let directory: String
    private let kind: LogKind
    private var list: SegmentList?

    init(directory: String, kind: LogKind) {
        self.directory = DataPaths(directory).root
        self.kind = kind
    }

    func path(of segment: SegmentName) -> String { directory + "/" + segment.path }

    /// What a file is called in reports: its path below the data directory.
    func label(_ segment: SegmentName?) -> String { kind.folder + "/" + (segment?.path ?? "") }

    func segment(_ sequence: Int64) throws(FileFault) -> SegmentName? {
        if let segment = list?.segment(sequence) { return segment }
        return try fresh().segment(sequence)
    }

    func segment(after sequence: Int64) throws(FileFault) -> SegmentName? {
        if let segment = list?.segment(after: sequence) { return segment }
        return try fresh().segment(after: sequence)
    }

    /// Files may be gone: the next question lists them anew.
    func forget() {
        list = nil
    }

    private func fresh() throws(FileFault) -> SegmentList {
        let fresh = try SegmentList(directory: directory, kind: kind)
        list = fresh
        return fresh
    }

    /// Where recovery has moved what stood at a place.
    func moved(_ place: LogPlace) throws(FileFault) -> LogPlace? {
        try DamagedList(directory: DataPaths(ofLog: directory).damaged, kind: kind).moved(place)
    }

    func bytes(after place: LogPlace) throws(FileFault) -> Int64 {
        let list = try fresh()
        var bytes: Int64 = 0
        for segment in list.segments[list.index(from: place.segment)...] {
            do {
                bytes += try Folder.size(path(of: segment))
            } catch {
                if !error.isMissing { throw error }
            }
            if segment.sequence == place.segment { bytes = max(0, bytes - max(0, place.offset)) }
        }
        return bytes
    }
}
