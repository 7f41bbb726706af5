internal import Glibc

/// Standard error, for everything that is not a result. What can't be written there has nowhere else to go.
package enum StandardError {
    /// Writes one line; line ends within the text, such as those of a file's name, become spaces.
    package static func write(_ line: String) {
        let words = line.split(whereSeparator: \.isNewline)
        writeRaw(words.joined(separator: " ") + "\n")
    }

    /// Writes the text as it is.
    package static func writeRaw(_ text: String) {
        _ = OutputDescriptor.standardError.write(text)
    }

    package static var isTerminal: Bool { isatty(2) == 1 }
}
