internal import Glibc
internal import Gzip

/// Rewrites files of a log with other lines in the place of some, each as long as it was: every member begins where it began.
///
/// A file is first made anew beside the old one, hidden; ``replace(_:)`` then gives it the old one's name. Nothing may be
/// appended to it meanwhile: the log's open file is closed before.
package struct LogEraser {
    /// A member of a file.
    package struct Member {
        package var lines: [UInt8]
        /// Behind it.
        package var end: LogPosition

        package init(lines: [UInt8], end: LogPosition) {
            self.lines = lines
            self.end = end
        }
    }

    /// What was made of one file.
    package struct Made: Sendable, Equatable {
        package var changed = 0
        /// Stretches that can't be read, and so are as they were.
        package var damage: [LogDamage] = []
        /// What else was wrong with the file, a sentence each.
        package var notes: [String] = []
    }

    /// A file can't be made as long as it was.
    package struct TooLong: Error, CustomStringConvertible {
        var file: String

        package var description: String {
            "\(file): what is left of a member is longer than the member was, so it can't be written in its place"
        }
    }

    /// The disk has no room for a file beside the one that it is to replace.
    package struct NoRoom: Error, CustomStringConvertible {
        var file: String

        package var description: String {
            "\(file): the disk has no room for it to be made anew: make room for it and 64 MiB, then it is tried again"
        }
    }

    private let paths: DataPaths
    private let calls: FileCalls
    /// Where readers stand: members on both sides stay two.
    private let positions: [LogKind: Set<LogPosition>]
    /// What a file is called while it is made, before and behind its own name.
    private static let (before, behind) = (".", ".erased")

    /// - Parameter places: where readers of the logs stand.
    package init(
        _ paths: DataPaths, positions: [LogKind: Set<LogPosition>] = [:], files calls: FileCalls = .system
    ) {
        self.paths = paths
        self.positions = positions
        self.calls = calls
    }

    /// The file as it is called until it takes the place of the old one.
    private func hidden(_ name: SegmentName) -> String {
        "\(paths.log(name.kind))/\(name.folder)/\(Self.before)\(name.file)\(Self.behind)"
    }

    /// Makes a file anew where it has lines to be replaced, and leaves it beside the old one, durable.
    ///
    /// - Parameter replaced: gets each good member; gives its lines when they are others now, each ended by LF, as many as there
    ///   were, and how many differ. A second form, which may be shorter, is used where the first is longer than what was there.
    /// - Returns: nil for a file without such lines.
    /// - Throws: what the system said, ``TooLong``, or what `replaced` throws; then nothing is left beside the file.
    /// - Complexity: O(bytes); memory for one member.
    package func make(
        _ name: SegmentName, _ replaced: (Member) throws -> (forms: [[UInt8]], changed: Int)?
    ) throws -> Made {
        let source = try OpenFile(paths.log(name.kind) + "/" + name.path, O_RDONLY)
        let size = try source.size()
        if try OriginField.marks(source) { return try makeCompacted(name, source, replaced) }
        let members = MemberReader(source, at: 0)
        var made = Made()
        var target: OpenFile?
        // All before it stands in the new file.
        var copied: Int64 = 0
        // The member before, and one that is too long by itself.
        var last: Stretch?
        var waiting: Stretch?
        func write(_ stretch: Stretch, joinedAt joint: Int64? = nil) throws -> Bool {
            if let joint, positions[name.kind]?.contains(LogPosition(segment: name.sequence, offset: joint)) == true {
                return false
            }
            guard let member = Self.member(stretch.forms, of: Int(stretch.range.count)) else { return false }
            let file = try target ?? begin(name, size)
            target = file
            if copied < stretch.range.lowerBound {
                try calls.copy(copied..<stretch.range.lowerBound, of: source, to: file, at: copied)
            }
            try calls.writeAll(member.span.bytes, to: file, at: stretch.range.lowerBound)
            copied = stretch.range.upperBound
            return true
        }
        var lines: [UInt8] = []
        do {
            pieces: while let piece = try members.nextPiece(before: size, into: &lines) {
                switch piece {
                case .damage(let range, let kind, let isTail):
                    if waiting != nil { throw TooLong(file: name.label) }
                    last = nil
                    made.damage.append(LogDamage(file: name.label, range: range, kind: kind))
                    if isTail { break pieces }
                case .member(let range):
                    defer { lines.removeAll(keepingCapacity: true) }
                    let position = LogPosition(segment: name.sequence, offset: range.upperBound)
                    let new = try replaced(Member(lines: lines, end: position))
                    made.changed += new?.changed ?? 0
                    var stretch = Stretch(forms: new?.forms ?? [lines], range: range)
                    if let before = waiting {
                        // Two members together take less room than each for itself.
                        stretch = before.joined(with: stretch)
                        waiting = try write(stretch, joinedAt: range.lowerBound) ? nil : stretch
                    } else if new != nil, try !write(stretch) {
                        if let joined = last?.joined(with: stretch), try write(joined, joinedAt: range.lowerBound) {
                            stretch = joined
                        } else {
                            waiting = stretch
                        }
                    }
                    last = stretch
                }
            }
            if waiting != nil { throw TooLong(file: name.label) }
            guard let target else { return made }
            try calls.copy(copied..<size, of: source, to: target, at: copied)
            try sync(target, name)
        } catch {
            unlink(hidden(name))
            throw error
        }
        return made
    }

    /// The same of a file that has been compacted. Its members say where their commits stood and how many lines each has, which
    /// stays true; so they need not be as long as they were. A member that no longer says so gets one commit for all of its
    /// lines, between its neighbours: without any the whole file would be taken for one that was never compacted.
    private func makeCompacted(
        _ name: SegmentName, _ source: OpenFile, _ replaced: (Member) throws -> (forms: [[UInt8]], changed: Int)?
    ) throws -> Made {
        let size = try source.size()
        let members = MemberReader(source, at: 0)
        var made = Made()
        var target: OpenFile?
        // Of the old file what stands in the new one, and the new one's length.
        var (copied, length): (Int64, Int64) = (0, 0)
        // Behind the member before, in the file as it was first written.
        var end: Int64 = 0
        var lines: [UInt8] = []
        do {
            pieces: while let piece = try members.nextPiece(before: size, into: &lines) {
                switch piece {
                case .damage(let range, let kind, let isTail):
                    made.damage.append(LogDamage(file: name.label, range: range, kind: kind))
                    if isTail { break pieces }
                case .member(let range):
                    defer { lines.removeAll(keepingCapacity: true) }
                    let known = try OriginField.read(source, at: range.lowerBound)
                    let field = try known ?? self.field(of: lines, at: range, after: end, in: source)
                    end = max(end, field.end)
                    let position = LogPosition(segment: name.sequence, offset: end)
                    guard let new = try replaced(Member(lines: lines, end: position)), let form = new.forms.first else {
                        continue
                    }
                    made.changed += new.changed
                    if known == nil {
                        let finding = ArchiveFinding.misplacedMember(file: name.label, range: range)
                        made.notes.append("\(finding); it was made anew of where its neighbours stood")
                    }
                    let plain = GzipCompressor(level: 9).member(form)
                    let member = field.member(plain.span.bytes)
                    let file = try target ?? begin(name, size)
                    target = file
                    try calls.copy(copied..<range.lowerBound, of: source, to: file, at: length)
                    length += range.lowerBound - copied
                    try calls.writeAll(member.span.bytes, to: file, at: length)
                    length += Int64(member.count)
                    copied = range.upperBound
                }
            }
            guard let target else { return made }
            try calls.copy(copied..<size, of: source, to: target, at: length)
            try sync(target, name)
        } catch {
            unlink(hidden(name))
            throw error
        }
        return made
    }

    /// What a member should say of which the field isn't as it was written: as much as readers make of it.
    private func field(
        of lines: [UInt8], at range: Range<Int64>, after end: Int64, in file: OpenFile
    ) throws(FileError) -> OriginField {
        let next = try OriginField.read(file, at: range.upperBound)?.start
        var field = OriginField(start: end)
        let bytes = next.map { $0 - end } ?? Int64(range.count)
        field.add(
            OriginField.Commit(bytes: max(1, bytes), lines: Int64(lines.count { $0 == 0x0a })))
        return field
    }

    /// Makes the hidden file, where the disk has room for it and for others.
    private func begin(_ name: SegmentName, _ size: Int64) throws -> OpenFile {
        let path = hidden(name)
        let folder = paths.log(name.kind) + "/" + name.folder
        if let free = LogCompactor.freeBytes(folder), free < size + LogCompactor.reserveBytes {
            throw NoRoom(file: name.label)
        }
        return try OpenFile(path, O_RDWR | O_CREAT | O_TRUNC, operation: "make")
    }

    private func sync(_ target: OpenFile, _ name: SegmentName) throws(FileError) {
        let result = calls.sync(target.descriptor)
        if result < 0 { throw FileError("sync", target.path, code: Int32(-result)) }
        try Folder.sync(paths.log(name.kind) + "/" + name.folder, calls)
    }

    /// A part of a file that is to be one member, and the forms that its lines may have.
    private struct Stretch {
        var forms: [[UInt8]]
        var range: Range<Int64>

        /// The two as one member, which a reader can't begin to read between them.
        func joined(with other: Stretch) -> Stretch {
            let most = max(forms.count, other.forms.count)
            let forms = (0..<most).map { form in
                self.forms[min(form, self.forms.count - 1)] + other.forms[min(form, other.forms.count - 1)]
            }
            return Stretch(forms: forms, range: range.lowerBound..<other.range.upperBound)
        }
    }

    /// The first form of a member that fits, padded.
    private static func member(_ forms: [[UInt8]], of length: Int) -> [UInt8]? {
        for form in forms {
            if let member = PaddedMember.padded(LineCompressor().member(form), to: length) { return member }
            if let member = PaddedMember.padded(GzipCompressor(level: 9).member(form), to: length) { return member }
        }
        return nil
    }

    /// Puts a file that was made into the place of the old one, durably. One that has its place already, or whose old one is
    /// gone, is no fault.
    package func replace(_ name: SegmentName) throws(FileError) {
        let path = paths.log(name.kind) + "/" + name.path
        var status = stat()
        if stat(path, &status) != 0, errno == ENOENT {
            unlink(hidden(name))
        } else if rename(hidden(name), path) != 0, errno != ENOENT {
            throw FileError("rename", hidden(name), code: errno)
        }
        let folder = paths.log(name.kind) + "/" + name.folder
        do {
            try Folder.sync(folder, calls)
        } catch {
            if !error.isMissing { throw error }
        }
    }

    /// Removes what was made and never got its place.
    package func removeMade() throws(FileError) {
        for kind in LogKind.allCases {
            for folder in try Folder.names(paths.log(kind)) where folder.hasPrefix("day=") {
                let path = paths.log(kind) + "/" + folder
                for file in try Folder.names(path)
                where file.hasPrefix(Self.before + kind.rawValue) && file.hasSuffix(SegmentName.suffix + Self.behind) {
                    try Folder.remove(path + "/" + file)
                }
            }
        }
    }

    /// Removes what was set aside of damaged files of some days.
    ///
    /// - Returns: the names below the data directory.
    package func removeDamaged(of days: Set<UTCDay>) throws(FileError) -> [String] {
        let manifest = try Manifest.read(paths)
        var removed: [String] = []
        for file in try paths.damagedFiles() {
            let isOfDays = LogKind.allCases.contains { kind in
                guard let name = DamagedName(file, kind: kind) else { return false }
                // Where nobody knows the day any more, it may be one of them.
                return manifest?[kind].files[name.sequence].map { days.contains($0.name.day) } ?? true
            }
            guard isOfDays, !days.isEmpty else { continue }
            try Folder.remove(paths.damaged + "/" + file)
            removed.append("damaged/" + file)
        }
        if !removed.isEmpty { try Folder.sync(paths.damaged, calls) }
        return removed
    }
}
