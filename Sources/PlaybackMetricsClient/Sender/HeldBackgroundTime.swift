/// Background time that was taken from the host, and is given back exactly once: at the end of the work or when the host
/// says that the time is up, which may be before it has said how to give it back.
final class HeldBackgroundTime: Sendable {
    private enum State: Sendable {
        case asking
        case expiredWhileAsking
        case held(@Sendable () -> Void)
        case givenBack
    }

    private let state = Locked(State.asking)

    init(of host: any BackgroundTime) {
        let end = host.begin { [state] in Self.giveBack(state) }
        let isOver = state.withLock { state in
            if case .expiredWhileAsking = state {
                state = .givenBack
                return true
            }
            state = .held(end)
            return false
        }
        if isOver { end() }
    }

    /// Whether the time has not been given back yet.
    var isHeld: Bool {
        state.withLock { state in
            if case .held = state { true } else { false }
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
                state = .expiredWhileAsking
                return nil
            case .held(let end):
                state = .givenBack
                return end
            case .expiredWhileAsking, .givenBack:
                return nil
            }
        }
        end?()
    }
}
