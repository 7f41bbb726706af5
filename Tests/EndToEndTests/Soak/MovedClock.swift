import Foundation
import Synchronization
import TestSupport

/// The wall clock of servers and commands, which a test moves forwards; everybody asks it under one lock, so that a moment noted
/// before a request is never after the server's, and one noted after its answer never before.
final class MovedClock: Sendable {
    private struct State {
        let fake: FakeTime
        var offset: TimeInterval
    }

    private let state: Mutex<State>
    /// What a program's environment needs.
    let environment: [String: String]

    init(_ start: Date) throws {
        let fake = try FakeTime(start)
        environment = fake.environment
        state = Mutex(State(fake: fake, offset: start.timeIntervalSinceNow))
    }

    var now: Date { state.withLock { Date(timeIntervalSinceNow: $0.offset) } }

    func move(to moment: Date) throws {
        try state.withLock { state in
            try state.fake.set(moment)
            state.offset = moment.timeIntervalSinceNow
        }
    }
}

extension Date {
    /// UTC days since 1970.
    var utcDay: Int { Int((timeIntervalSince1970 / 86_400).rounded(.down)) }

    /// A UTC day's name, such as 2027-03-01.
    static func name(ofDay day: Int) -> String {
        String(Date(timeIntervalSince1970: Double(day) * 86_400).ISO8601Format().prefix(10))
    }
}
