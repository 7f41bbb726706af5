public import Foundation

/// Makes the ids of plays, sessions and senders: the seam through which a test or a simulation chooses them.
public protocol PlayIDMaker: Sendable {
    /// An id that nobody has had before.
    func makeID() -> UUID
}
