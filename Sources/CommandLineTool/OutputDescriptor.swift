internal import Glibc

/// An open file descriptor that is written to.
struct OutputDescriptor: Sendable {
    let number: Int32

    static let standardOutput = OutputDescriptor(number: 1)
    static let standardError = OutputDescriptor(number: 2)

    /// Writes all of the bytes.
    ///
    /// - Returns: 0, else the `errno` for which not all of them were written.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let written = Self.write(number, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
        return 0
    }

    /// Writes all of the text in as few calls as the system allows: lines of several threads do not mix.
    func write(_ text: String) -> Int32 {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// Takes the numbers of the standard streams that the process was started without, for descriptors that can't be read
    /// or written: else the next file to be opened would get such a number, and with it every result or message.
    static func fillStandardStreams() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free is given.
            _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Glibc.write(descriptor, bytes, count)
    }
}
