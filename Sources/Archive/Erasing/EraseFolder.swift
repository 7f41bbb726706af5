internal import Glibc
package import PlaybackEvents

/// The folder `erase/` of a data directory: whose plays were erased, and what of that is still to be done.
///
/// - `secret`, the key of the hashes, and `tombstones`, a line `KIND HASH` for each who was erased, stay for ever. A restore keeps
///   the newer of two such folders.
/// - `ID.request` names somebody in clear until all is done; `ID.position`, `ID.lines`, `ID.rows` and `ID.plan` say how far it
///   has come; `ID.done` is the answer to the command that asked.
package struct EraseFolder: Sendable {
    /// Somebody is to be erased.
    package struct Request: Sendable, Equatable {
        /// 32 hexadecimal digits.
        package var id: String
        package var target: ErasureTarget

        package init(_ target: ErasureTarget) {
            id = Identifier128(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)).hexadecimalText
            self.target = target
        }

        init(id: String, target: ErasureTarget) {
            self.id = id
            self.target = target
        }
    }

    /// What stands beside a request.
    package enum Part: String, Sendable {
        case request, position, plan, lines, rows, done
    }

    private let paths: DataPaths
    private let calls: FileCalls
    private static let (requestFormat, tombstoneFormat) = ("qoe-erase 1 ", "qoe-tombstones 1")
    /// Far more than any of the small files has, in bytes.
    private static let most = 64 << 20

    package init(_ paths: DataPaths, files calls: FileCalls = .system) {
        self.paths = paths
        self.calls = calls
    }

    package func path(_ id: String, _ part: Part) -> String { "\(paths.erase)/\(id).\(part.rawValue)" }

    // MARK: Tombstones

    /// Those of the directory, none where nobody was ever erased.
    ///
    /// - Throws: what the system said; a ``FileError`` for files that can't be understood: who was erased would come back.
    package func tombstones() throws(FileError) -> Tombstones {
        guard let bytes = try Manifest.bytes(at: paths.erase + "/tombstones", most: Self.most) else {
            return Tombstones(secret: try secret() ?? Identifier128(high: 0, low: 0))
        }
        guard let secret = try secret() else { throw strange("secret") }
        var tombstones = Tombstones(secret: secret)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first == Self.tombstoneFormat[...], lines.last == "" else { throw strange("tombstones") }
        for line in lines.dropFirst().dropLast() {
            let words = line.split(separator: " ")
            guard words.count == 2, let kind = ErasureTarget.Kind(rawValue: String(words[0])),
                let hash = Identifier128(hexadecimalText: words[1])
            else { throw strange("tombstones") }
            tombstones.insert(hash, of: kind)
        }
        return tombstones
    }

    private func strange(_ file: String) -> FileError {
        FileError(
            "understand", paths.erase + "/" + file, code: EBADMSG,
            advice: "put back the folder erase/ of the newest backup: without it those who were erased would come back")
    }

    private func secret() throws(FileError) -> Identifier128? {
        guard let bytes = try Manifest.bytes(at: paths.erase + "/secret", most: 64) else { return nil }
        guard bytes.last == 0x0A,
            let secret = Identifier128(hexadecimalText: String(decoding: bytes.dropLast(), as: UTF8.self))
        else { throw strange("secret") }
        return secret
    }

    /// Adds somebody, durably. The caller holds the directory.
    package func add(_ target: ErasureTarget) throws(FileError) -> Tombstones {
        try make()
        if try secret() == nil {
            let secret = Identifier128(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
            try write(secret.hexadecimalText + "\n", to: "secret")
        }
        var tombstones = try tombstones()
        guard tombstones.insert(target) else { return tombstones }
        var text = Self.tombstoneFormat + "\n"
        for kind in ErasureTarget.Kind.allCases {
            for hash in (tombstones.hashes[kind] ?? []).sorted() {
                text += "\(kind.rawValue) \(hash.hexadecimalText)\n"
            }
        }
        try write(text, to: "tombstones")
        return tombstones
    }

    // MARK: Requests

    private func make() throws(FileError) {
        if try Folder.make(paths.erase) { try Folder.sync(paths.root, calls) }
    }

    /// Leaves a request, durably.
    package func add(_ request: Request) throws(FileError) {
        try make()
        let hexadecimal = request.target.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try write(
            Self.requestFormat + request.target.kind.rawValue + "\n" + hexadecimal + "\n",
            to: "\(request.id).\(Part.request.rawValue)")
    }

    /// What is to be done, first what was planned already.
    package func requests() throws(FileError) -> [Request] {
        var requests: [Request] = []
        for id in try ids(.request) {
            if let request = try request(id) { requests.append(request) }
        }
        let planned = Set(try ids(.plan))
        return requests.filter { planned.contains($0.id) } + requests.filter { !planned.contains($0.id) }
    }

    private func request(_ id: String) throws(FileError) -> Request? {
        guard let bytes = try Manifest.bytes(at: path(id, .request), most: 1 << 16) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0].hasPrefix(Self.requestFormat),
            let kind = ErasureTarget.Kind(rawValue: String(lines[0].dropFirst(Self.requestFormat.count))),
            let target = Self.bytes(lines[1]).flatMap({ ErasureTarget(kind, bytes: $0) })
        else {
            throw FileError("understand", path(id, .request), code: EBADMSG, advice: "remove it, and erase once more")
        }
        return Request(id: id, target: target)
    }

    private static func bytes(_ hexadecimal: Substring) -> [UInt8]? {
        let digits = Array(hexadecimal.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for position in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[position..<position + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// The requests that have such a part.
    package func ids(_ part: Part) throws(FileError) -> [String] {
        try Folder.names(paths.erase).compactMap { name in
            guard name.hasSuffix("." + part.rawValue) else { return nil }
            let id = String(name.dropLast(part.rawValue.utf8.count + 1))
            return Identifier128(hexadecimalText: id) == nil ? nil : id
        }
    }

    /// Whether a request has been left that nobody has carried out.
    package var hasRequests: Bool { (try? ids(.request).isEmpty) == false }

    // MARK: Parts

    package func text(_ id: String, _ part: Part) throws(FileError) -> String? {
        try Manifest.bytes(at: path(id, part), most: Self.most).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a part as a whole, durably.
    package func write(_ text: String, _ id: String, _ part: Part) throws(FileError) {
        try write(text, to: "\(id).\(part.rawValue)")
    }

    private func write(_ text: String, to name: String) throws(FileError) {
        let path = paths.erase + "/" + name
        // Two commands may write at once.
        let new = "\(path).\(getpid()).tmp"
        try calls.replace(path, with: Array(text.utf8), by: new)
    }

    /// Makes a request's list of lines durable, which somebody has written beside this type.
    package func syncLines(_ id: String) throws(FileError) {
        let file = try OpenFile(path(id, .lines), O_RDWR)
        let result = calls.sync(file.descriptor)
        if result < 0 { throw FileError("sync", file.path, code: Int32(-result)) }
        try Folder.sync(paths.erase, calls)
    }

    /// Removes a part: its name, so that no crash leaves half of it, then its bytes, since it names somebody.
    package func remove(_ id: String, _ part: Part) throws(FileError) {
        let gone = path(id, part) + ".tmp"
        if rename(path(id, part), gone) != 0 {
            if errno == ENOENT { return }
            throw FileError("rename", gone, code: errno)
        }
        try Folder.sync(paths.erase, calls)
        try wipe(gone)
    }

    private func wipe(_ path: String) throws(FileError) {
        do {
            let file = try OpenFile(path, O_RDWR)
            let zeros = [UInt8](repeating: 0, count: 1 << 16)
            let size = try file.size()
            var done: Int64 = 0
            while done < size {
                let count = Int(min(Int64(zeros.count), size - done))
                try calls.writeAll(zeros.span.bytes.extracting(..<count), to: file, at: done)
                done += Int64(count)
            }
            _ = calls.sync(file.descriptor)
            try Folder.remove(file.path)
        } catch {
            if !error.isMissing { throw error }
        }
        try Folder.sync(paths.erase, calls)
    }

    /// Removes what processes that were killed have left half-written, and answers that nobody has asked for in an hour.
    ///
    /// - Parameter now: ms since 1970.
    package func tidy(now: Int64) throws(FileError) {
        for name in try Folder.names(paths.erase) {
            let path = paths.erase + "/" + name
            var status = stat()
            guard name.hasSuffix(".tmp") || name.hasSuffix("." + Part.done.rawValue), stat(path, &status) == 0,
                Int64(status.st_mtim.tv_sec) < now / 1_000 - 3_600
            else { continue }
            try wipe(path)
        }
    }
}
