package import Archive
package import Foundation
package import PlaybackEvents

/// The list of an erasure's lines, in the order of the log: those that are erased, and all others of their requests.
package struct ErasedLines: Sendable {
    package enum Fate: String, Sendable {
        /// A play that goes, and one that is a repeat of such a play.
        case erased = "e"
        case erasedRepeat = "r"
        case kept = "k"
        case account = "a"
    }

    package struct Line {
        /// Behind the member that has it.
        package var end: LogPosition
        package var fate: Fate
        /// Without its LF.
        package var text: Data
    }

    private let path: String

    package init(path: String) {
        self.path = path
    }

    /// - Throws: what the file system says, ``LineError`` for a file that is none.
    /// - Complexity: O(bytes), and as much memory.
    package func forEach(_ visit: (Line) throws -> Void) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        for row in bytes.split(separator: 0x0A) {
            let words = row.split(separator: 0x20, maxSplits: 3)
            guard words.count == 4, let segment = Self.number(words[0]), let offset = Self.number(words[1]),
                let fate = Fate(rawValue: String(decoding: words[2], as: UTF8.self))
            else { throw LineError("The list of erased lines is none.", at: 0) }
            try visit(Line(end: LogPosition(segment: segment, offset: offset), fate: fate, text: words[3]))
        }
    }

    private static func number(_ text: Data) -> Int64? { Int64(String(decoding: text, as: UTF8.self)) }

    /// The plays that go, each read once.
    package func plays() throws -> [(play: Play, id: Identifier128, entry: LoggedPlays.Entry, end: LogPosition)] {
        var plays: [(Play, Identifier128, LoggedPlays.Entry, LogPosition)] = []
        var lines = LoggedPlays()
        try forEach { line in
            guard line.fate == .erased || line.fate == .erasedRepeat else { return }
            lines.removeAll(keepingCapacity: true)
            try line.text.withUnsafeBytes { try lines.append(line: $0) }
            guard let entry = lines.entries.first, case .play(let play) = entry.kind else { return }
            let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
            plays.append((play, id, entry, line.end))
        }
        return plays
    }

    /// Writes such a list.
    package final class Writer {
        private let file: FileHandle
        private var waiting = Data()
        package private(set) var count = 0

        /// Begins an empty one.
        package init(path: String) throws {
            guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o640]),
                let file = FileHandle(forWritingAtPath: path)
            else { throw FileError("make", path, code: EIO) }
            self.file = file
        }

        package func add(_ fate: Fate, _ line: ArraySlice<UInt8>, end: LogPosition) throws {
            waiting += Data("\(end.segment) \(end.offset) \(fate.rawValue) ".utf8)
            waiting += line
            waiting.append(0x0A)
            count += 1
            if waiting.count > 1 << 16 { try flush() }
        }

        private func flush() throws {
            try file.write(contentsOf: waiting)
            waiting.removeAll(keepingCapacity: true)
        }

        package func close() throws {
            try flush()
            try file.close()
        }
    }
}
