internal import Glibc
package import Platform

/// A system call on a file or folder that failed.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried, as a verb: "write", "make".
    package var operation: String
    package var path: String
    /// The system's error number.
    package var code: Int32
    /// What an operator can do, where that is known.
    package var advice: String?

    package init(_ operation: String, _ path: String, code: Int32, advice: String? = nil) {
        self.operation = operation
        self.path = path
        self.code = code
        self.advice = advice
    }

    /// A thread that the system did not give, for those who tell of files alone.
    package init(_ error: ThreadError) {
        self.init("start the thread", error.name, code: error.code)
    }

    package var description: String {
        "cannot \(operation) \(path): \(String(cString: strerror(code)))" + (advice.map { "; " + $0 } ?? "")
    }

    /// There is no room left (the disk's or the user's).
    package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
    /// There is no such file or folder.
    package var isMissing: Bool { code == ENOENT }
}
