import Foundation
import Synchronization
import TestSupport

/// Players that post to whichever server there is, and remember what was acknowledged and when.
final class DayLoad: Sendable {
    /// Plays of one request, and between which moments they can have ended.
    struct Sent: Sendable {
        var ids: [String]
        var days: ClosedRange<Int>
    }

    private struct State {
        var port: Int?
        var acknowledged: [Sent] = []
        var answers: [Int: Int] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())
    private let clock: MovedClock

    /// What the clocks of two processes may differ by, in seconds.
    private static let margin = 0.1
    private static let usualAgeMs = 1_000

    init(_ clock: MovedClock) {
        self.clock = clock
    }

    var acknowledged: [Sent] { state.withLock { $0.acknowledged } }
    var answers: [Int: Int] { state.withLock { $0.answers } }

    /// Where players post from now on.
    func aim(at port: Int) {
        state.withLock { $0.port = port }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Players that post one to three plays every 20 ms, until ``stop()``.
    func start(players: Int) -> DispatchGroup {
        let group = DispatchGroup()
        for _ in 0..<players {
            Thread.inGroup(group) { [self] in
                while true {
                    let (port, isStopped) = state.withLock { ($0.port, $0.isStopped) }
                    if isStopped { return }
                    guard let port, let connection = try? LoopbackConnection(port: port, timeout: 20) else {
                        usleep(5_000)
                        continue
                    }
                    while state.withLock({ $0.port == port && !$0.isStopped }),
                        (try? post(count: Int.random(in: 1...3), on: connection)) != nil
                    {
                        usleep(20_000)
                    }
                }
            }
        }
        return group
    }

    /// Posts plays on a connection of its own.
    ///
    /// - Parameters:
    ///   - more: further fields of each, such as `"cdn":"fastly"`.
    ///   - startupMs: how long each waited.
    func post(
        count: Int, _ more: String = #""cdnRegion":"eu-west""#, startupMs: Int = 400, ageMs: Int = DayLoad.usualAgeMs,
        to port: Int
    ) throws {
        try post(
            count: count, more, startupMs: startupMs, ageMs: ageMs, on: LoopbackConnection(port: port, timeout: 20))
    }

    private func post(
        count: Int, _ more: String = #""cdnRegion":"eu-west""#, startupMs: Int = 400, ageMs: Int = DayLoad.usualAgeMs,
        on connection: LoopbackConnection
    ) throws {
        let ids = (0..<count).map { _ in SampleBatch.newId() }
        let events = ids.map { id in
            #"{"playId":"\#(id)","videoId":"v1","startupMs":\#(startupMs),"stalls":0,"stalledMs":0,"watchedMs":20000,"#
                + #""ageMs":\#(ageMs),\#(more)}"#
        }
        let first = clock.now - Self.margin - Double(ageMs) / 1_000
        let response = try connection.post(ServerProcess.eventsPath, Array(SampleBatch.body(events).utf8))
        let last = clock.now + Self.margin - Double(ageMs) / 1_000
        state.withLock { state in
            state.answers[response.status, default: 0] += 1
            guard response.status == 202 else { return }
            state.acknowledged.append(Sent(ids: ids, days: first.utcDay...last.utcDay))
        }
        if response.fields["connection"] == "close" { throw WaitedInVain("the connection closes") }
    }
}
