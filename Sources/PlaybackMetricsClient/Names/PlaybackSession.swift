public import Foundation

/// One run of the app in the foreground: its id is in every play that begins in it.
///
/// An id is made of the time and of chance: there is no place for the identifier of a user or a device.
public final class PlaybackSession: Sendable {
    private let ids: any PlayIDMaker
    private let current: Locked<UUID>

    /// A session that begins now.
    ///
    /// - Parameter ids: makes the session's ids, one for every run in the foreground.
    public init(ids: any PlayIDMaker = TimeOrderedIDs.shared) {
        self.ids = ids
        current = Locked(ids.makeID())
    }

    /// The id of this run in the foreground.
    public var id: SessionID { SessionID(uuid: current.withLock { $0 }) }

    /// Begins a new session: call it when the app comes back to the foreground.
    public func renew() {
        let next = ids.makeID()
        current.withLock { $0 = next }
    }
}

/// The id of one run of the app in the foreground, made by a ``PlaybackSession``.
public struct SessionID: Sendable, Hashable {
    /// The id as it is sent.
    public let uuid: UUID

    init(uuid: UUID) {
        self.uuid = uuid
    }
}
