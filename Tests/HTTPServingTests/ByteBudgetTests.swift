import Dispatch
import Testing

import HTTPServing

@Suite("The byte budget")
struct ByteBudgetTests {
    @Test("gives all that is asked for or nothing, up to its limit")
    func limits() {
        let budget = ByteBudget(limit: 10)
        #expect(budget.take(7))
        #expect(!budget.take(4))
        #expect(budget.used == 7)
        #expect(budget.take(3))
        #expect(!budget.take(1))
        #expect(budget.take(0))
        budget.give(10)
        #expect(budget.used == 0)
        #expect(!budget.take(.max))
        #expect(!budget.take(-1))
    }

    @Test("never gives more than its limit to many at once")
    func together() {
        let budget = ByteBudget(limit: 3)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_000 where budget.take(2) {
                #expect(budget.used <= 3)
                budget.give(2)
            }
        }
        #expect(budget.used == 0)
    }
}
