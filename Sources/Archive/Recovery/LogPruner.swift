internal import Glibc

/// Removes old files of a log.
///
/// Each is removed so that the manifest is true after a crash at any moment, and so that it works on a disk without any room:
/// 1. The file is renamed: hidden, its number of lines in its name (``LeavingName``). Readers find it no more.
/// 2. It is cut to nothing, which makes the room that the next step may need.
/// 3. The manifest gets the line that it was removed, and its lines.
/// 4. What is left is removed. A start does the last two for a file that it finds renamed.
package struct LogPruner {
    /// What was removed.
    package struct Removed: Sendable, Equatable {
        package var files = 0
        package var bytes: Int64 = 0

        package init(files: Int = 0, bytes: Int64 = 0) {
            self.files = files
            self.bytes = bytes
        }
    }

    private let directory: DataDirectory

    package init(_ directory: DataDirectory) {
        self.directory = directory
    }

    /// Removes the files of days before `day`, wherever they stand in the log.
    ///
    /// - Parameter place: what every follower has read up to; the file that holds it and those after it stay.
    ///   So does the log's last file, whose number tells what the next one is.
    ///   - removal: told of each file that is gone.
    /// - Throws: what the system said; the files removed before that are gone.
    /// - Complexity: reads each file that was not closed in good order, for the number of its lines.
    package func prune(
        _ kind: LogKind, before day: UTCDay, readUpTo position: LogPosition, removal: (SegmentName) -> Void = { _ in }
    ) throws(FileError) -> Removed {
        let manifest = directory.manifest.manifest
        let list = try SegmentList(directory: directory.paths.log(kind), kind: kind, manifest: manifest)
        var removed = Removed()
        for segment in list.segments.dropLast() where segment.day < day && segment.sequence < position.segment {
            let path = list.path(of: segment)
            let bytes = try Folder.size(path)
            let closed = manifest[kind].files[segment.sequence]?.closed
            let length = try SegmentReader.length(of: path)
            let lines = if let closed, closed.bytes == length { closed.lines } else { try Self.lines(of: path) }
            let leaving = LeavingName(segment, lines: lines)
            let hidden = list.directory + "/" + leaving.path
            if rename(path, hidden) != 0 { throw FileError("rename", path, code: errno) }
            try Folder.sync(list.directory + "/" + segment.folder, directory.files)
            removed.files += 1
            removed.bytes += bytes
            if truncate(hidden, 0) != 0 { throw FileError("cut back", hidden, code: errno) }
            try Self.finish(leaving, in: directory)
            removal(segment)
        }
        return removed
    }

    /// Notes the removal of a file that has been renamed, and removes what is left of it.
    static func finish(_ leaving: LeavingName, in directory: DataDirectory) throws(FileError) {
        let log = directory.paths.log(leaving.name.kind)
        try directory.manifest.append([.removed(leaving.name, lines: leaving.lines)])
        try Folder.remove(log + "/" + leaving.path)
        // Fails, as it should, while the folder has files.
        rmdir(log + "/" + leaving.name.folder)
    }

    /// The lines of a file's good members.
    static func lines(of path: String) throws(FileError) -> Int64 {
        let members = MemberReader(try OpenFile(path, O_RDONLY), at: 0)
        var count: Int64 = 0
        var lines: [UInt8] = []
        while let piece = try members.nextPiece(into: &lines) {
            count += Int64(lines.count { $0 == 0x0a })
            lines.removeAll(keepingCapacity: true)
            if case .damage(_, _, isTail: true) = piece { break }
        }
        return count
    }
}
