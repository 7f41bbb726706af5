#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Standard error, for everything that is not a result.
package enum StandardError {
    /// Writes one line.
    package static func write(_ line: String) {
        writeRaw(line + "\n")
    }

    /// Writes the text as it is, in one call: lines of several threads do not mix.
    package static func writeRaw(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = write(2, rest.baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                if written <= 0 { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
        }
    }

    package static var isTerminal: Bool { isatty(2) == 1 }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
            Darwin.write(descriptor, bytes, count)
        #else
            Glibc.write(descriptor, bytes, count)
        #endif
    }
}
