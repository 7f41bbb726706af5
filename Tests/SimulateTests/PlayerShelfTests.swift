import PlaybackMetricsClient
import Testing

@testable import PlaybackSimulation

@Suite("A shelf of players")
struct PlayerShelfTests {
    private func clip(_ number: Int) -> Clip {
        Clip(id: "v\(number)", length: 20_000, popularity: 0, fault: nil)
    }

    private func load(_ number: Int) -> SegmentLoad {
        SegmentLoad(of: clip(number), chance: Chance(seed: UInt64(number)))
    }

    private func acquired(_ lifecycle: PlayerLifecycle, _ clips: [Int]) -> [PlayerAcquisition] {
        var shelf = PlayerShelf(PlayerKeeping(lifecycle))
        var chance = Chance(seed: 1)
        return clips.map { number in
            let taken = shelf.take(for: clip(number), &chance)
            shelf.putBack(load(number))
            return taken.acquired
        }
    }

    @Test("makes a player for every clip when none is kept")
    func new() {
        #expect(acquired(.default, [1, 2, 1]) == [.new, .new, .new])
    }

    @Test("gives its one player every clip")
    func singleton() {
        #expect(acquired(.singleton, [1, 2, 1]) == [.new, .reused, .reused])
    }

    @Test("makes three players and then takes them in turn")
    func reusePool() {
        #expect(acquired(.reusePool, [1, 2, 3, 4, 1]) == [.new, .new, .new, .reused, .reused])
    }

    @Test("finds the latest clips again where players keep theirs, and no longer the one used longest ago")
    func idScopedPool() {
        #expect(acquired(.idScopedPool, [1, 2, 1]) == [.new, .new, .hit])
        #expect(acquired(.idScopedPool, [1, 2, 3, 4, 5, 6, 1, 6]).suffix(2) == [.reused, .hit])
    }

    @Test("has a preloaded clip ready, and says that it was preloaded")
    func preloaded() {
        for lifecycle in [PlayerLifecycle.reusePool, .idScopedPool] {
            var shelf = PlayerShelf(PlayerKeeping(lifecycle))
            var chance = Chance(seed: 1)
            shelf.hold(preloaded: load(7))
            let taken = shelf.take(for: clip(7), &chance)
            #expect(taken.isPreloaded)
            #expect(taken.load?.clip.id == "v7")
            #expect(taken.acquired == (lifecycle == .idScopedPool ? .hit : .reused))
        }
    }

    @Test("needs more memory the more players it keeps")
    func memory() {
        func memory(_ lifecycle: PlayerLifecycle) -> Int64 {
            var shelf = PlayerShelf(PlayerKeeping(lifecycle))
            var chance = Chance(seed: 1)
            for number in 1...10 { _ = shelf.take(for: clip(number), &chance) }
            return shelf.memory
        }
        #expect(memory(.singleton) == memory(.default))
        #expect(memory(.reusePool) > memory(.singleton))
        #expect(memory(.idScopedPool) > memory(.reusePool))
    }
}
