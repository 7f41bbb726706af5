import Testing

@testable import PlaybackSimulation

@Suite("The simulated clock")
struct SimulatedClockTests {
    /// Sleeps again and again, and notes when it woke.
    private actor Sleeper {
        private(set) var woken: [Duration] = []

        func sleep(_ durations: [Duration], on clock: SimulatedClock) async {
            for duration in durations {
                do { try await clock.sleep(for: duration) } catch { return }
                woken.append(clock.now)
            }
            // Nobody waits for this one.
            try? await clock.sleep(for: .seconds(1_000_000))
        }
    }

    @Test("wakes who sleeps at his own time, on the way to a later one")
    func advance() async {
        let clock = SimulatedClock(at: 5_000)
        let sleeper = Sleeper()
        let task = Task { await sleeper.sleep([.seconds(1), .seconds(2), .seconds(10)], on: clock) }
        await clock.untilAsleep()
        await clock.advance(to: 9_500)
        #expect(await sleeper.woken == [.seconds(1), .seconds(3)])
        #expect(clock.milliseconds == 9_500)
        #expect(clock.now == .milliseconds(4_500))
        task.cancel()
        await task.value
    }

    @Test("wakes who slept while the process stood still only when it goes on")
    func leap() async {
        let clock = SimulatedClock(at: 0)
        let sleeper = Sleeper()
        let task = Task { await sleeper.sleep([.seconds(30)], on: clock) }
        await clock.untilAsleep()
        await clock.leap(to: 3_600_000)
        #expect(await sleeper.woken == [.seconds(3_600)])
        task.cancel()
        await task.value
    }

    @Test("lets go of who is cancelled, before he sleeps and while he does")
    func cancellation() async {
        let clock = SimulatedClock(at: 0)
        let sleeping = Task { try await clock.sleep(for: .seconds(5)) }
        await clock.untilAsleep()
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }

        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(5))
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        await clock.advance(to: 10_000)
        #expect(clock.milliseconds == 10_000)
    }

    @Test("wakes several in the order of their times")
    func several() async {
        let clock = SimulatedClock(at: 0)
        let (one, other) = (Sleeper(), Sleeper())
        let tasks = [
            Task { await one.sleep([.seconds(4), .seconds(4)], on: clock) },
            Task { await other.sleep([.seconds(3), .seconds(3)], on: clock) },
        ]
        await clock.untilAsleep(2)
        await clock.advance(to: 7_000)
        #expect(await one.woken == [.seconds(4)])
        #expect(await other.woken == [.seconds(3), .seconds(6)])
        tasks.forEach { $0.cancel() }
        for task in tasks { await task.value }
    }
}
