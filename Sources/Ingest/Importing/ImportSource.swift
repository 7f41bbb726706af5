import Glibc
package import Gzip

/// Why an import stops.
package enum ImportError: Error, Sendable, Equatable, CustomStringConvertible {
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
package final class ImportSource {
    /// The name that stands for standard input.
    static let standardInput = "-"

    package let path: String
    /// -1 while it rests.
    private var descriptor: Int32 = -1
    /// When the file was last modified, ms since 1970; nil for what is no file, such as a pipe.
    private(set) var modifiedAt: Int64?
    /// The file's length, and how much of it has been read, in bytes as stored.
    private(set) var length = 0
    private(set) var position = 0

    private var inflate: InflateStream?
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
    private var fault: ImportError?

    /// - Parameter path: `-` is standard input.
    package init(path: String) throws(ImportError) {
        self.path = path
        try open()
    }

    private func open() throws(ImportError) {
        descriptor = path == Self.standardInput ? dup(STDIN_FILENO) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw .unreadable("it is no file")
        }
        // A pipe can be read once only, and may give its first bytes one by one.
        var start: [UInt8] = []
        var code: Int32 = 0
        while start.count < 2 {
            let piece: [UInt8]
            (piece, code) = Self.read(descriptor)
            if piece.isEmpty { break }
            start += piece
        }
        if code != 0 { throw .unreadable(String(cString: strerror(code))) }
        length = Int(status.st_size)
        modifiedAt =
            status.st_mode & S_IFMT == S_IFREG
            ? Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000 : nil
        position = start.count
        inflate = start.starts(with: [0x1f, 0x8b]) ? InflateStream() : nil
        if inflate == nil { pending = start } else { input = start }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The first line that is not blank, which stays the next one; nil where there is none, or none within the limit.
    func first(limit: Int) -> [UInt8]? {
        while true {
            for line in pending.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
            where !ImportForm.isBlank(line) { return Array(line) }
            guard fault == nil, pending.count <= limit else { return nil }
            do throws(ImportError) {
                if try !fill() { break }
            } catch {
                fault = error
            }
        }
        return pending.split(separator: 0x0A).first { !ImportForm.isBlank($0) }.map(Array.init)
    }

    /// Lets go of a file of which nothing has been handed out; it is opened again when it is read. What is no file stays open.
    func rest() {
        guard modifiedAt != nil, descriptor >= 0, line == 0 else { return }
        close(descriptor)
        descriptor = -1
        (input, pending, fault) = ([], [], nil)
        (memberIsOpen, isPadded, position) = (false, false, 0)
    }

    /// The whole file, when it is at most that long (after decompression) and can be read to its end; nil otherwise. Lines
    /// go on as if nothing had been read.
    func whole(limit: Int) -> [UInt8]? {
        do throws(ImportError) {
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
    func next(limit: Int) throws(ImportError) -> (number: Int, bytes: [UInt8]?)? {
        if descriptor < 0 { try open() }
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
    private func fill() throws(ImportError) -> Bool {
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
        do throws(GzipError) {
            let step = try inflate.step(input, 0..<input.count, into: &output)
            input.removeFirst(step.consumed)
            pending += output[..<step.produced]
            memberIsOpen = !step.ended
            return true
        } catch {
            throw .damaged(error)
        }
    }

    private func read() throws(ImportError) -> [UInt8] {
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
