import Dispatch
import Testing

import HTTPServing

@Suite("The byte budget")
struct ByteBudgetTests {
    @Test("gives all that is asked for or nothing")
    func limits() {
        let budget = ByteBudget(limit: 1_000)
        let room = Room(in: budget, owner: "a")
        #expect(room.take(700))
        #expect(room.hasRoom(for: 50))
        #expect(!room.take(51))
        #expect(budget.used == 700)
        #expect(room.take(50))
        #expect(!room.take(1))
        #expect(room.take(0))
        #expect(!room.take(.max))
        #expect(!room.take(-1))
        room.shrink(to: 30)
        #expect(room.count == 30 && budget.used == 30)
        room.give(.max)
        #expect(room.count == 0 && budget.used == 0)
    }

    @Test("gets back what a request held when the request is over")
    func end() {
        let budget = ByteBudget(limit: 1_000)
        do {
            let room = Room(in: budget, owner: "a")
            #expect(room.take(500))
        }
        #expect(budget.used == 0)
    }

    @Test("keeps its last quarter for small requests, and of that a half for those of others")
    func reserve() {
        let budget = ByteBudget(limit: 800_000)
        let large = Room(in: budget, owner: "a")
        large.note(size: ByteBudget.largeFrom)
        #expect(large.take(600_000))
        #expect(!large.take(1))
        let small = Room(in: budget, owner: "a")
        small.note(size: ByteBudget.largeFrom - 1)
        #expect(small.take(100_000))
        #expect(!small.take(1))
        let other = Room(in: budget, owner: "b")
        #expect(other.take(100_000))
        #expect(budget.used == budget.limit)
        small.shrink(to: 0)
        #expect(!other.take(1) && !large.take(1))
    }

    @Test("counts small requests of one owner that fill the rest, too, as its own")
    func flood() {
        let budget = ByteBudget(limit: 800_000)
        let flood = Room(in: budget, owner: "a")
        #expect(flood.take(600_000))
        #expect(!flood.take(1))
        let other = Room(in: budget, owner: "b")
        #expect(other.take(100_000))
        // What turns out to be large later holds nothing of what is kept for small ones.
        flood.note(size: .max)
        let small = Room(in: budget, owner: "a")
        #expect(small.take(100_000))
    }

    @Test("never gives more than its limit to many at once")
    func together() {
        let budget = ByteBudget(limit: 1_000)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            let room = Room(in: budget, owner: "\(number % 3)")
            for _ in 0..<1_000 where room.take(125) {
                #expect(budget.used <= 1_000)
                room.shrink(to: 0)
            }
        }
        #expect(budget.used == 0)
    }
}

/// A room of which `#expect` can ask something: what can't be copied, it can't hold.
final class Room {
    private var room: BudgetRoom

    init(in budget: ByteBudget, owner: String) {
        room = BudgetRoom(in: budget, owner: owner)
    }

    var count: Int { room.count }
    func hasRoom(for more: Int) -> Bool { room.hasRoom(for: more) }
    func take(_ more: Int) -> Bool { room.take(more) }
    func give(_ fewer: Int) { room.give(fewer) }
    func shrink(to most: Int) { room.shrink(to: most) }
    func note(size: Int) { room.note(size: size) }
}
