/// Why a commit is not durable. Whatever the reason, the same lines may be committed again.
package struct CommitError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        /// No room on the disk.
        case full
        /// The disk failed to take or to keep the bytes.
        case failed
        /// Too many bytes wait already.
        case queueFull
        /// More bytes than any commit may have.
        case tooLarge
        /// The committer is stopping or has stopped.
        case stopping
    }

    package var reason: Reason
    package var description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    init(_ fault: FileError) {
        self.init(fault.isFull ? .full : .failed, fault.description)
    }
}
