internal import Glibc

/// Finds out at start what a log holds.
enum LogRecovery {
    /// Opens a log for writing.
    static func open(
        _ kind: LogKind, _ paths: DataPaths, _ configuration: CommitterConfiguration, _ record: CommitRecord
    ) throws(FileFault) -> LogWriter {
        let directory = paths.log(kind)
        let list = try SegmentList(directory: directory, kind: kind)
        var extent = LogExtent()
        var end = LogPlace.beginning
        for segment in list.segments {
            let length = try OpenFile(list.path(of: segment), O_RDONLY).size()
            extent.set(segment.sequence, length: length)
            end = LogPlace(segment: segment.sequence, offset: length)
        }
        record.begin(kind, end: end, extent: extent)
        let writer = LogWriter(
            kind: kind, directory: directory, configuration: configuration, end: end, nextSequence: end.segment + 1)
        return writer
    }
}
