/// How far the reports of players have been made into plays, in a small file beside the logs.
///
/// It is a text of four lines, replaced as a whole. Who reads the reports begins at ``from`` and archives only plays that
/// close after ``written``.
package struct FoldPositions: Sendable, Equatable {
    /// Where the first report that is still needed stands.
    package var from = LogPosition.beginning
    /// Up to where closed plays are durable in the archive.
    package var written = LogPosition.beginning
    /// The archive's end when this was written: a play that was archived since then stands behind it.
    package var archive = LogPosition.beginning

    private static let format = "qoe-fold 1 "

    package init() {}

    /// Reads the file of a data directory, beside whoever writes it.
    ///
    /// - Returns: nil where there is none, or one of another directory, or one that can't be understood.
    package static func read(_ paths: DataPaths) throws(FileError) -> FoldPositions? {
        guard let bytes = try Manifest.bytes(at: paths.foldPlaces, most: 1_024) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 4, let identity = try Manifest.identity(of: paths), lines[0] == format + identity else {
            return nil
        }
        var positions = FoldPositions()
        for (line, (name, path)) in zip(lines.dropFirst(), members) {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, words[0] == name, let segment = Int64(words[1]), let offset = Int64(words[2]),
                segment >= 0, offset >= 0
            else { return nil }
            positions[keyPath: path] = LogPosition(segment: segment, offset: offset)
        }
        return positions
    }

    private static var members: [(String, WritableKeyPath<FoldPositions, LogPosition>)] {
        [("from", \.from), ("written", \.written), ("archive", \.archive)]
    }

    /// Replaces the file; returns when it is durable.
    ///
    /// - Complexity: two syncs.
    package func write(_ paths: DataPaths, files calls: FileCalls = .system) throws(FileError) {
        let identity = try Manifest.identity(of: paths) ?? ""
        var text = Self.format + identity + "\n"
        for (name, path) in Self.members {
            text += "\(name) \(self[keyPath: path].segment) \(self[keyPath: path].offset)\n"
        }
        try calls.replace(paths.foldPlaces, with: Array(text.utf8), by: paths.foldPlaces + ".new")
    }
}
