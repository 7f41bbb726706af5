package import Archive
internal import Foundation
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
        /// The event's number in its request, which the line may leave out.
        package var index: Int32
        /// Without its LF.
        package var text: ArraySlice<UInt8>
    }

    /// A play that goes.
    package struct ErasedPlay {
        package var play: Play
        /// Its own identifier or the one made for it.
        package var id: Identifier128
        package var entry: LoggedPlays.Entry
        /// Behind the member that has its line.
        package var end: LogPosition
    }

    private let path: String
    /// So much of the list is read at a time.
    private static let pieceBytes = 1 << 18

    package init(path: String) {
        self.path = path
    }

    /// - Throws: what the file system says, ``LineError`` for a file that is none.
    /// - Complexity: O(bytes); memory for a piece of it.
    package func forEach(_ visit: (Line) throws -> Void) throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        var rest: [UInt8] = []
        while true {
            let piece = try file.read(upToCount: Self.pieceBytes) ?? Data()
            rest += piece
            var from = rest.startIndex
            while let end = rest[from...].firstIndex(of: 0x0A) {
                try visit(Self.line(rest[from..<end]))
                from = end + 1
            }
            rest.removeFirst(from)
            guard piece.isEmpty else { continue }
            if !rest.isEmpty { try visit(Self.line(rest[...])) }
            return
        }
    }

    private static func line(_ text: ArraySlice<UInt8>) throws -> Line {
        let words = text.split(separator: 0x20, maxSplits: 4)
        guard words.count == 5, let segment = number(words[0]), let offset = number(words[1]),
            let fate = Fate(rawValue: String(decoding: words[2], as: UTF8.self)),
            let index = number(words[3]).flatMap({ Int32(exactly: $0) })
        else { throw LineError("The list of erased lines is none.", at: 0) }
        return Line(end: LogPosition(segment: segment, offset: offset), fate: fate, index: index, text: words[4])
    }

    /// How many plays go.
    package func count() throws -> Int {
        var count = 0
        try forEach { if $0.fate == .erased || $0.fate == .erasedRepeat { count += 1 } }
        return count
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int64? { Int64(String(decoding: text, as: UTF8.self)) }

    /// Visits the plays that go, each read by itself, in the order of the log.
    package func forEachPlay(_ visit: (ErasedPlay) throws -> Void) throws {
        var lines = LoggedPlays()
        try forEach { line in
            guard line.fate == .erased || line.fate == .erasedRepeat else { return }
            lines.removeAll(keepingCapacity: true)
            try lines.append(line: line.text.span.bytes)
            guard var entry = lines.entries.first, case .play(let play) = entry.kind else { return }
            entry.index = line.index
            let id = play.playId ?? MadePlayId.make(requestId: entry.requestId, index: entry.index)
            try visit(ErasedPlay(play: play, id: id, entry: entry, end: line.end))
        }
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

        /// - Parameter index: the event's number in its request.
        package func add(_ fate: Fate, _ line: ArraySlice<UInt8>, index: Int32, end: LogPosition) throws {
            waiting += Data("\(end.segment) \(end.offset) \(fate.rawValue) \(index) ".utf8)
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
