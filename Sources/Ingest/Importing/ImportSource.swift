import Glibc
package import Gzip

/// Why an import stops.
package enum ImportFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file can't be opened or read: what the system said.
    case unreadable(String)
    /// The file is gzip, and damaged.
    case damaged(GzipError)
    /// A line is longer than any body may be.
    case lineTooLong(line: Int, limit: Int)

    /// The fault is the file system's, not the content's.
    package var isUnreadable: Bool {
        if case .unreadable = self { return true }
        return false
    }

    package var description: String {
        switch self {
        case .unreadable(let reason): "can't be read: \(reason)"
        case .damaged(.truncated): "the gzip stream ends before its end; what came before it is loaded"
        case .damaged(let fault): "the gzip stream is damaged (\(fault)); what came before it is loaded"
        case .lineTooLong(let line, let limit):
            "line \(line) is longer than \(limit) bytes; what came before it is loaded"
        }
    }
}

/// The bytes of a file, plain or gzip, handed out in pieces that end at a line's end.
final class ImportSource {
    private let descriptor: Int32
    /// When the file was last modified, ms since 1970.
    let modifiedAt: Int64
    /// The file's length, and how much of it has been read, in bytes as stored.
    let length: Int
    private(set) var position = 0

    private let inflate: InflateStream?
    private var input: [UInt8] = []
    private var memberIsOpen = false
    /// What has been read; lines before `head` are handed out, and up to `scanned` there is no line's end.
    private var pending: [UInt8] = []
    private var head = 0
    private var scanned = 0
    private var line = 0

    init(path: String) throws(ImportFault) {
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(opened)
            throw .unreadable("it is no file")
        }
        descriptor = opened
        length = Int(status.st_size)
        modifiedAt = Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
        var magic: [UInt8] = [0, 0]
        inflate = pread(opened, &magic, 2, 0) == 2 && magic == [0x1f, 0x8b] ? InflateStream() : nil
    }

    deinit {
        close(descriptor)
    }

    /// The whole file, when it is at most that long (after decompression); lines go on as if nothing had been read.
    func whole(limit: Int) throws(ImportFault) -> [UInt8]? {
        while pending.count <= limit { if try !fill() { return pending } }
        return nil
    }

    /// The next line without its LF, with its number from 1; nil at the end of the file.
    func next(limit: Int) throws(ImportFault) -> (number: Int, bytes: [UInt8])? {
        while true {
            if let end = pending[scanned...].firstIndex(of: 0x0A) {
                defer { (head, scanned) = (end + 1, end + 1) }
                line += 1
                return (line, Array(pending[head..<end]))
            }
            pending.removeFirst(head)
            (head, scanned) = (0, pending.count)
            if scanned > limit { throw .lineTooLong(line: line + 1, limit: limit) }
            if try !fill() {
                guard !pending.isEmpty else { return nil }
                line += 1
                defer { (pending, scanned) = ([], 0) }
                return (line, pending)
            }
        }
    }

    /// Reads on: false when there is nothing more.
    private func fill() throws(ImportFault) -> Bool {
        guard let inflate else {
            let piece = try read()
            pending += piece
            return !piece.isEmpty
        }
        if input.isEmpty { input = try read() }
        if input.isEmpty {
            if memberIsOpen { throw .damaged(.truncated) }
            return false
        }
        if !memberIsOpen { inflate.begin() }
        memberIsOpen = true
        var output = [UInt8](repeating: 0, count: 1 << 18)
        let outcome = input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { target in
                Result { () throws(GzipError) in try inflate.step(source, into: target) }
            }
        }
        switch outcome {
        case .success(let step):
            input.removeFirst(step.consumed)
            pending += output[..<step.produced]
            memberIsOpen = !step.ended
            return true
        case .failure(let fault): throw .damaged(fault)
        }
    }

    private func read() throws(ImportFault) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var count = Glibc.read(descriptor, &buffer, buffer.count)
        while count < 0, errno == EINTR { count = Glibc.read(descriptor, &buffer, buffer.count) }
        guard count >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        position += count
        buffer.removeSubrange(count...)
        return buffer
    }
}
