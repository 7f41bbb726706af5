public import Foundation

/// One run of the app in the foreground: its id is in every play that begins in it.
///
/// A run goes on when the app was away for a short while, and ends when it comes back after half an hour. An id is made of
/// the time and of chance: there is no place for the identifier of a user or a device.
public final class PlaybackSession: Sendable {
    /// How long the app may be away until coming back begins a new session.
    public let renewAfter: Duration

    private let ids: any PlayIDMaker
    private let now: @Sendable () -> Duration
    private let state: Locked<State>

    private struct State: Sendable {
        var id: SessionID
        var leftAt: Duration?
    }

    /// A session that begins now.
    ///
    /// - Parameters:
    ///   - ids: makes the session's ids, one for every run in the foreground.
    ///   - renewAfter: how long the app may be away until coming back begins a new session; half an hour.
    ///   - now: a clock that nobody sets and that goes on while the device sleeps.
    public init(
        ids: any PlayIDMaker = TimeOrderedIDs.shared, renewAfter: Duration = .seconds(1800),
        now: @escaping @Sendable () -> Duration = PlaybackSession.continuousClock
    ) {
        self.ids = ids
        self.renewAfter = renewAfter
        self.now = now
        state = Locked(State(id: SessionID(uuid: ids.makeID())))
    }

    /// The time since the process first asked, by a clock that goes on while the device sleeps.
    @Sendable public static func continuousClock() -> Duration { origin.duration(to: ContinuousClock.now) }

    private static let origin = ContinuousClock.now

    /// The id of this run in the foreground.
    public var id: SessionID { state.withLock { $0.id } }

    /// The app went to the background.
    public func appDidEnterBackground() {
        let now = now()
        state.withLock { $0.leftAt = now }
    }

    /// The app comes back to the foreground: a new session begins when it was away for ``renewAfter`` or longer.
    public func appWillEnterForeground() {
        let now = now()
        let isOver = state.withLock { state in
            defer { state.leftAt = nil }
            return state.leftAt.map { now - $0 >= renewAfter } ?? false
        }
        if isOver { renew() }
    }

    /// Begins a new session, however long the app was away.
    public func renew() {
        let next = SessionID(uuid: ids.makeID())
        state.withLock { $0.id = next }
    }
}

/// The id of one run of the app in the foreground, made by a ``PlaybackSession``.
public struct SessionID: Sendable, Hashable {
    /// The id as it is sent.
    public let uuid: UUID

    /// What failed in this session, so that a retry is known for one whichever player makes it.
    let failures = FailedAttempts()

    init(uuid: UUID) {
        self.uuid = uuid
    }

    /// Whether both are ids of the same session.
    public static func == (one: SessionID, other: SessionID) -> Bool { one.uuid == other.uuid }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}

/// How often the latest plays of videos failed in a row.
final class FailedAttempts: Sendable {
    /// So many videos that failed are remembered: more is no session of a viewer.
    static let limit = 256

    private let attempts = Locked<[VideoID: Int]>([:])

    /// How many plays of a video failed, up to its latest.
    func count(of video: VideoID) -> Int { attempts.withLock { $0[video] ?? 0 } }

    /// So many plays of a video have failed up to its latest; 0: that one did not fail.
    func set(_ count: Int, of video: VideoID) {
        attempts.withLock { attempts in
            if count == 0 {
                attempts[video] = nil
            } else if attempts[video] != nil || attempts.count < Self.limit {
                attempts[video] = count
            }
        }
    }
}
