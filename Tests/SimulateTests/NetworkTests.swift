import PlaybackMetricsClient
import Testing

@testable import PlaybackSimulation

@Suite("A simulated network")
struct NetworkTests {
    private static let region = EdgeRegion.all[0]

    private func link(_ steadiness: Steadiness = .shaky, seed: UInt64) -> AccessLink {
        AccessLink(.wifi, in: Self.region, steadiness, from: 1_000, chance: Chance(seed: seed))
    }

    @Test("brings more bytes later, and nothing before it was asked for", arguments: 1...20)
    func arrival(seed: Int) {
        var link = link(seed: UInt64(seed))
        var last: Int64 = 0
        for bits in stride(from: 0.0, to: 8_000_000, by: 400_000) {
            guard let arrives = link.arrival(of: bits, from: 5_000, ceiling: 30_000, limit: 100_000) else { continue }
            #expect(arrives >= max(last, 5_000))
            last = arrives
        }
        #expect(last > 5_000)
    }

    @Test("has the same throughput in whatever order it is asked")
    func order() {
        var forwards = link(seed: 9)
        var backwards = link(seed: 9)
        let times = (0..<50).map { Int64($0) * 3_000 }
        let early = times.map { forwards.arrival(of: 1_000_000, from: $0, ceiling: 30_000, limit: 60_000) }
        let late = times.reversed().map { backwards.arrival(of: 1_000_000, from: $0, ceiling: 30_000, limit: 60_000) }
        #expect(early == late.reversed())
    }

    @Test("is not waited for without end")
    func limit() {
        var link = link(seed: 3)
        #expect(link.arrival(of: 1e12, from: 1_000, ceiling: 30_000, limit: 10_000) == nil)
    }

    @Test("fades seldom where it is steady, often where it is poor")
    func steadiness() {
        func slow(_ steadiness: Steadiness) -> Int {
            (1...40).reduce(0) { sum, seed in
                var link = link(steadiness, seed: UInt64(seed))
                return sum
                    + (0..<30).count {
                        let asked = Int64($0) * 20_000 + 1_000
                        return link.arrival(of: 2_000_000, from: asked, ceiling: 30_000, limit: 4_000) == nil
                    }
            }
        }
        #expect(slow(.poor) > 5 * slow(.steady))
        #expect(slow(.steady) < 40)
    }

    @Test("answers slower and worse in the evening of trouble, most of all from one CDN")
    func trouble() {
        let trouble = EdgeTrouble(onDayFrom: 0)
        let height = (trouble.begin + trouble.end) / 2
        #expect(trouble.severity(in: "eu-central", of: "cdn-a", at: height) == 1)
        #expect(trouble.severity(in: "eu-central", of: "cdn-b", at: height) < 0.5)
        #expect(trouble.severity(in: "eu-west", of: "cdn-a", at: height) == 0)
        #expect(trouble.severity(in: "eu-central", of: "cdn-a", at: trouble.begin - 1) == 0)
        #expect(trouble.severity(in: "eu-central", of: "cdn-a", at: trouble.end) == 0)
        let rising = trouble.severity(in: "eu-central", of: "cdn-a", at: trouble.begin + 900_000)
        #expect(rising > 0.4 && rising < 0.6)
    }

    @Test("reports each failure under a code of its own")
    func codes() {
        let codes = PlaybackFailure.allCases.map(\.error.description)
        #expect(Set(codes).count == codes.count)
        #expect(PlaybackFailure.forbidden.error.description == "CoreMediaErrorDomain#-12660")
        #expect(PlaybackFailure.offline.error.description == "NSURLErrorDomain#-1009")
    }
}
