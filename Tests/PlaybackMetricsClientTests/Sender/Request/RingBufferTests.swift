import TestSupport
import Testing

@testable import PlaybackMetricsClient

@Suite("The ring")
struct RingBufferTests {
    @Test("behaves as a list does, through any sequence of changes")
    func model() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let limit = Int.random(in: 1...40, using: &random)
            var ring = RingBuffer<Int>(limit: limit)
            var list: [Int] = []
            for number in 0..<300 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0..<4 where list.count < limit:
                    ring.append(number)
                    list.append(number)
                case 4 where list.count < limit:
                    ring.prepend(number)
                    list.insert(number, at: 0)
                case 7 where number % 50 == 0:
                    ring.removeAll()
                    list.removeAll()
                default:
                    let first = list.isEmpty ? nil : list.removeFirst()
                    let popped = ring.popFirst()
                    #expect(popped == first)
                }
                #expect(ring.count == list.count)
            }
        }
    }
}
