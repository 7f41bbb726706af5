import Glibc
package import Gzip

/// Why an import stops.
package enum ImportFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file can't be opened or read: what the system said.
    case unreadable(String)
    /// The file is gzip, and damaged.
    case damaged(GzipError)

    /// The fault is the file system's, not the content's.
    package var isUnreadable: Bool {
        if case .unreadable = self { return true }
        return false
    }

    package var description: String {
        switch self {
        case .unreadable(let reason): "can't be read: \(reason)"
        case .damaged(.truncated): "the gzip stream ends before its end; what came before it is loaded"
        case .damaged(.invalid(let what)): "the gzip stream is damaged (\(what)); what came before it is loaded"
        case .damaged(.tooLarge): "the gzip stream is too large"
        case .damaged(.outOfMemory): "there is no memory to read on; what came before is loaded"
        }
    }
}

/// The bytes of a file, plain or gzip, handed out in pieces that end at a line's end.
final class ImportSource {
    /// The name that stands for standard input.
    static let standardInput = "-"

    private let descriptor: Int32
    /// When the file was last modified, ms since 1970; nil for what is no file, such as a pipe.
    let modifiedAt: Int64?
    /// The file's length, and how much of it has been read, in bytes as stored.
    let length: Int
    private(set) var position = 0

    private let inflate: InflateStream?
    /// Bytes as stored that are not inflated yet.
    private var input: [UInt8] = []
    private var memberIsOpen = false
    /// Only zeros may follow: some tapes and file systems fill the last block of a file with them.
    private var isPadded = false
    /// What has been read; lines before `head` are handed out, and up to `scanned` there is no line's end.
    private var pending: [UInt8] = []
    private var head = 0
    private var scanned = 0
    private var line = 0
    /// The line under way is longer than the limit; its bytes are dropped up to its end.
    private var isSkipping = false
    /// Why nothing more can be read.
    private var fault: ImportFault?

    init(path: String) throws(ImportFault) {
        let opened = path == Self.standardInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(opened)
            throw .unreadable("it is no file")
        }
        // A pipe can be read once only, and may give its first bytes one by one.
        var start: [UInt8] = []
        var code: Int32 = 0
        while start.count < 2 {
            let piece: [UInt8]
            (piece, code) = Self.read(opened)
            if piece.isEmpty { break }
            start += piece
        }
        descriptor = opened
        length = Int(status.st_size)
        modifiedAt =
            status.st_mode & S_IFMT == S_IFREG
            ? Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000 : nil
        position = start.count
        inflate = start.starts(with: [0x1f, 0x8b]) ? InflateStream() : nil
        if inflate == nil { pending = start } else { input = start }
        // Thrown when all is set up, so that the descriptor is closed.
        if code != 0 { throw .unreadable(String(cString: strerror(code))) }
    }

    deinit {
        close(descriptor)
    }

    /// The whole file, when it is at most that long (after decompression) and can be read to its end; nil otherwise. Lines
    /// go on as if nothing had been read.
    func whole(limit: Int) -> [UInt8]? {
        do throws(ImportFault) {
            while pending.count <= limit { if try !fill() { return pending } }
        } catch {
            fault = error
        }
        return nil
    }

    /// The next line without its LF, with its number from 1; nil at the end of the file.
    ///
    /// - Returns: no bytes for a line that is longer than the limit, which is passed over.
    /// - Throws: when all lines before the fault have been handed out.
    func next(limit: Int) throws(ImportFault) -> (number: Int, bytes: [UInt8]?)? {
        while true {
            if let end = pending[scanned...].firstIndex(of: 0x0A) {
                defer { (head, scanned) = (end + 1, end + 1) }
                return took(pending[head..<end])
            }
            pending.removeFirst(head)
            (head, scanned) = (0, pending.count)
            if isSkipping || scanned > limit {
                isSkipping = true
                (pending, scanned) = ([], 0)
            }
            if try !fill() {
                guard isSkipping || !pending.isEmpty else { return nil }
                defer { (pending, scanned) = ([], 0) }
                return took(pending[...])
            }
        }
    }

    private func took(_ bytes: ArraySlice<UInt8>) -> (number: Int, bytes: [UInt8]?) {
        line += 1
        defer { isSkipping = false }
        return (line, isSkipping ? nil : Array(bytes))
    }

    /// Reads on: false when there is nothing more.
    private func fill() throws(ImportFault) -> Bool {
        if let fault { throw fault }
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
        if !memberIsOpen {
            if input.first == 0 || isPadded {
                guard input.allSatisfy({ $0 == 0 }) else { throw .damaged(.invalid("zeros with more behind them")) }
                (isPadded, input) = (true, [])
                return true
            }
            inflate.begin()
        }
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
        let (piece, code) = Self.read(descriptor)
        if code != 0 { throw .unreadable(String(cString: strerror(code))) }
        position += piece.count
        return piece
    }

    /// - Returns: bytes, none at the end; and the `errno` when they could not be read.
    private static func read(_ descriptor: Int32) -> ([UInt8], Int32) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var count = Glibc.read(descriptor, &buffer, buffer.count)
        while count < 0, errno == EINTR { count = Glibc.read(descriptor, &buffer, buffer.count) }
        if count < 0 { return ([], errno) }
        buffer.removeSubrange(count...)
        return (buffer, 0)
    }
}
