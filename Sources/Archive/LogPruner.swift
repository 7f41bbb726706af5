internal import Glibc

/// Removes the oldest files of a log.
package struct LogPruner: Sendable {
    /// What was removed.
    package struct Removed: Sendable, Equatable {
        package var files = 0
        package var bytes: Int64 = 0

        package init(files: Int = 0, bytes: Int64 = 0) {
            self.files = files
            self.bytes = bytes
        }
    }

    private let paths: DataPaths

    package init(_ paths: DataPaths) {
        self.paths = paths
    }

    /// Removes files of days before `day`, oldest in the log first, up to the first that has to stay: so the log has no hole.
    ///
    /// - Parameter place: what every follower has read up to; the file that holds it and those after it stay.
    ///   So does the log's last file, whose number tells what the next one is.
    /// - Throws: what the system said; the files removed before that are gone.
    package func prune(
        _ kind: LogKind, before day: UTCDay, readUpTo place: LogPlace
    ) throws(FileFault) -> Removed {
        let list = try SegmentList(directory: paths.log(kind), kind: kind)
        var removed = Removed()
        for segment in list.segments.dropLast() {
            guard segment.day < day, segment.sequence < place.segment else { break }
            let path = list.path(of: segment)
            removed.bytes += try Folder.size(path)
            try Folder.remove(path)
            removed.files += 1
            // Fails, as it should, while the folder has files.
            rmdir(list.directory + "/" + segment.folder)
        }
        return removed
    }
}
