/// How the host lets an app go on for a while when it goes to the background.
public protocol BackgroundTime: Sendable {
    /// Asks the host for time.
    ///
    /// - Parameter expired: the host calls it when the time is up.
    /// - Returns: gives the time back; called exactly once.
    func begin(expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

/// A host that asks for nothing: a command-line program, or an app that holds the time itself.
public struct UnlimitedBackgroundTime: BackgroundTime {
    /// A host that asks for nothing.
    public init() {}

    /// Nothing has to be given back.
    public func begin(expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void { {} }
}

/// Background time that is taken from the host once, and given back exactly once: at the end of the work or when the host
/// says that the time is up, either of which may be before it has said how to give it back.
final class HeldBackgroundTime: Sendable {
    private enum State: Sendable {
        case asking
        case overWhileAsking
        case held(@Sendable () -> Void)
        case givenBack
    }

    private let state = Locked(State.asking)

    /// Asks the host. To be called once.
    func take(from host: any BackgroundTime) {
        let end = host.begin { [state] in Self.giveBack(state) }
        let isOver = state.withLock { state in
            if case .overWhileAsking = state {
                state = .givenBack
                return true
            }
            state = .held(end)
            return false
        }
        if isOver { end() }
    }

    /// Whether the time is over: no more work can join what it is held for.
    var isGivenBack: Bool {
        state.withLock { state in
            switch state {
            case .asking, .held: false
            case .overWhileAsking, .givenBack: true
            }
        }
    }

    /// Gives the time back, unless it has been.
    func giveBack() {
        Self.giveBack(state)
    }

    private static func giveBack(_ state: Locked<State>) {
        let end: (@Sendable () -> Void)? = state.withLock { state in
            switch state {
            case .asking:
                state = .overWhileAsking
                return nil
            case .held(let end):
                state = .givenBack
                return end
            case .overWhileAsking, .givenBack:
                return nil
            }
        }
        end?()
    }
}
