internal import Glibc

/// Standard output, for results.
package enum StandardOutput {
    /// Writes the text as it is.
    ///
    /// - Throws: `inputOutput` when not all of it could be written: a result that is lost must not look like success.
    package static func write(_ text: String) throws(CommandError) {
        try write(text.utf8)
    }

    /// Writes the bytes as they are.
    ///
    /// - Throws: `inputOutput` when not all of them could be written.
    package static func write(_ bytes: some Sequence<UInt8>) throws(CommandError) {
        let bytes = Array(bytes)
        let code = OutputDescriptor.standardOutput.write(bytes.span.bytes)
        guard code == 0 else {
            throw CommandError(.inputOutput, "can't write to standard output: \(String(cString: strerror(code)))")
        }
    }
}
