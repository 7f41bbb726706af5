import Platform
import Synchronization
import Testing

@Suite("A thread")
struct ThreadTests {
    private struct Broken: Error, Equatable {
        var number: Int
    }

    @Test("has done its work when it has been waited for")
    func joins() throws {
        let sum = Mutex(0)
        let threads = try (1...8).map { number in
            try SystemThread(name: "adder") { @Sendable in sum.withLock { $0 += number } }
        }
        for thread in threads { thread.join() }
        #expect(sum.withLock { $0 } == 36)
    }

    @Test("that nobody waits for hands over what it made")
    func detached() throws {
        let made = PendingValue<String>()
        try SystemThread.detach(name: "maker") { made.fulfil("made") }
        #expect(made.wait() == "made")
    }

    @Test("that the system does not give is an error that names it")
    func refused() {
        let error = #expect(throws: ThreadError.self) {
            // More than any address space has.
            try SystemThread.detach(name: "giant", stackBytes: 1 << 60) {}
        }
        #expect(error?.name == "giant" && error?.code != 0)
        #expect(error?.description.hasPrefix("cannot start the thread giant: ") == true)
    }

    @Test("at somebody's side does one piece of work after the other, and tells what each threw")
    func side() throws {
        let side = try SideThread(name: "side")
        let done = Mutex<[Int]>([])
        for number in 1...3 {
            side.begin { done.withLock { $0.append(number) } }
            try side.wait()
        }
        side.begin { throw Broken(number: 4) }
        #expect(throws: Broken(number: 4)) { try side.wait() }
        side.begin { done.withLock { $0.append(5) } }
        try side.wait()
        #expect(done.withLock { $0 } == [1, 2, 3, 5])
    }

    @Test("that waits for a value has nothing when the time is over, and the value once it is there")
    func pending() {
        let value = PendingValue<Int>()
        #expect(value.wait(until: .now) == nil)
        value.fulfil(7)
        #expect(value.wait(until: .distantFuture) == 7)
    }

    @Test("that waits for a change wakes with it")
    func monitor() throws {
        let state = Monitor(0)
        #expect(!state.wait(milliseconds: 0) { $0 == 1 })
        let thread = try SystemThread(name: "counter") { for _ in 0..<100 { state.change { $0 += 1 } } }
        #expect(state.wait(milliseconds: nil) { $0 == 100 })
        thread.join()
        #expect(state.read { $0 } == 100)
    }

    @Test("sees a flag that another has raised")
    func flag() throws {
        let flag = Flag()
        #expect(!flag.isRaised)
        try SystemThread(name: "raiser") { flag.raise() }.join()
        #expect(flag.isRaised)
        flag.lower()
        #expect(!flag.isRaised)
    }

    @Test("for each element at once leaves the results in order", arguments: [0, 1, 2, 1_000])
    func parallelMap(count: Int) throws {
        #expect(try Array(0..<count).parallelMap { $0 * $0 } == (0..<count).map { $0 * $0 })
    }

    @Test("for each element at once tells what the first one that failed threw, when all are done")
    func parallelFault() {
        let done = Mutex(0)
        #expect(throws: Broken(number: 3)) {
            try Array(0..<100).parallelMap { number in
                done.withLock { $0 += 1 }
                if number % 10 == 3 { throw Broken(number: number) }
            }
        }
        #expect(done.withLock { $0 } == 100)
    }
}
