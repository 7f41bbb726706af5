internal import Glibc

/// A file that a command leaves. It gets its name only when it is whole, so that nobody reads half of one.
///
/// A link stays a link, and what is no plain file, such as `/dev/null` or a pipe, is written to and not replaced.
package final class OutputFile {
    private static let bufferBytes = 1 << 20

    /// As the command line has it.
    private let path: String
    private let descriptor: OutputDescriptor
    /// What has to be renamed in the end, and to which name; nil for what is no plain file.
    private let renaming: (from: String, to: String)?
    private var buffer: [UInt8] = []
    private var isOpen = true

    /// Begins a file.
    ///
    /// - Throws: `cannotCreate`.
    package init(_ path: String) throws(CommandError) {
        guard !path.isEmpty else { throw CommandError(.cannotCreate, "can't write to a file without a name") }
        self.path = path
        var status = stat()
        let isThere = stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        let opened: Int32
        if isThere, kind != S_IFREG {
            guard kind != S_IFDIR else { throw Self.fault(path, EISDIR) }
            renaming = nil
            opened = open(path, O_WRONLY | O_CLOEXEC)
        } else {
            let target = isThere ? Self.resolved(path) : path
            let unfinished = "\(target).\(getpid()).unfinished"
            renaming = (unfinished, target)
            opened = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
            // The rights that somebody gave the file are those of the one that takes its place.
            if opened >= 0, isThere { fchmod(opened, status.st_mode & 0o7777) }
        }
        guard opened >= 0 else { throw Self.fault(path, errno) }
        descriptor = OutputDescriptor(number: opened)
    }

    deinit {
        discard()
    }

    /// Adds bytes.
    ///
    /// - Throws: `inputOutput`.
    package func write(_ bytes: some Collection<UInt8>) throws(CommandError) {
        buffer += bytes
        if buffer.count >= Self.bufferBytes { try empty() }
    }

    /// Gives the file its name.
    ///
    /// - Throws: `inputOutput`, `cannotCreate`.
    package func finish() throws(CommandError) {
        try empty()
        if let renaming, rename(renaming.from, renaming.to) != 0 { throw Self.fault(path, errno) }
        isOpen = false
        // Some file systems tell only now that they are full.
        if close(descriptor.number) != 0 { throw Self.loss(path, errno) }
    }

    /// Leaves nothing behind of what is not finished. May be called again.
    package func discard() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor.number)
        if let renaming { unlink(renaming.from) }
    }

    private func empty() throws(CommandError) {
        let code = descriptor.write(buffer.span.bytes)
        guard code == 0 else { throw Self.loss(path, code) }
        buffer.removeAll(keepingCapacity: true)
    }

    /// The file at the end of all links.
    private static func resolved(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    private static func fault(_ path: String, _ code: Int32) -> CommandError {
        CommandError(.cannotCreate, "can't write \(path): \(String(cString: strerror(code)))")
    }

    private static func loss(_ path: String, _ code: Int32) -> CommandError {
        CommandError(.inputOutput, "writing \(path) failed: \(String(cString: strerror(code)))")
    }
}

extension OutputFile {
    /// Writes a whole file.
    ///
    /// - Throws: `cannotCreate`, `inputOutput`.
    package static func write(_ text: String, to path: String) throws(CommandError) {
        let file = try OutputFile(path)
        try file.write(text.utf8)
        try file.finish()
    }

    /// Makes a folder and those above it, where they are not there.
    ///
    /// - Throws: `cannotCreate`.
    package static func makeFolder(_ path: String) throws(CommandError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            made += (made.isEmpty || made == "/" ? "" : "/") + name
            guard mkdir(made, 0o777) == 0 || errno == EEXIST else { throw folderFault(path, errno) }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw folderFault(path, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw folderFault(path, ENOTDIR) }
    }

    private static func folderFault(_ path: String, _ code: Int32) -> CommandError {
        CommandError(.cannotCreate, "can't make the folder \(path): \(String(cString: strerror(code)))")
    }
}

/// An open file descriptor that is written to.
struct OutputDescriptor: Sendable {
    let number: Int32

    static let standardOutput = OutputDescriptor(number: 1)
    static let standardError = OutputDescriptor(number: 2)

    /// Writes all of the bytes.
    ///
    /// - Returns: 0, else the `errno` for which not all of them were written.
    func write(_ bytes: RawSpan) -> Int32 {
        var done = 0
        while done < bytes.byteCount {
            let written = bytes.extracting(droppingFirst: done).withUnsafeBytes { rest in
                Glibc.write(number, rest.baseAddress, rest.count)
            }
            if written < 0 {
                if errno == EINTR { continue }
                return errno
            }
            done += written
        }
        return 0
    }

    /// Writes all of the text in as few calls as the system allows: lines of several threads do not mix.
    func write(_ text: String) -> Int32 {
        let bytes = Array(text.utf8)
        return write(bytes.span.bytes)
    }

    /// Takes the numbers of the standard streams that the process was started without, for descriptors that can't be read
    /// or written: else the next file to be opened would get such a number, and with it every result or message.
    static func fillStandardStreams() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free is given.
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
