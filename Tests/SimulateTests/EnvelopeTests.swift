import PlaybackSimulation
import Testing

@Suite("Simulated plays")
struct EnvelopeTests {
    private typealias Play = RecordedPlays.Play

    private let plays: [RecordedPlays.Play]
    private let trouble = Simulation(.small()).trouble

    init() async throws {
        plays = try await RecordedPlays.twoDays.value.plays.filter { $0.source != "download" }
    }

    private func rebufferRatio(_ plays: [RecordedPlays.Play]) -> Double {
        let watched = plays.reduce(0) { $0 + $1.event.watchedMs }
        return Double(plays.reduce(0) { $0 + $1.event.stalledMs }) / Double(max(1, watched))
    }

    private func failureShare(_ plays: [RecordedPlays.Play]) -> Double {
        Double(plays.count { $0.event.error != nil }) / Double(max(1, plays.count))
    }

    @Test("start after times that are skewed to the right, those of preloaded clips almost at once")
    func startup() throws {
        let cold = plays.filter { $0.tags["preloaded"] == "no" && $0.tags["acquired"] != "hit" }
        let times = cold.compactMap(\.event.startupMs)
        let median = try #require(times.percentile(50))
        let high = try #require(times.percentile(95))
        #expect((350...900).contains(median))
        #expect((2.5...6).contains(Double(high) / Double(median)))
        #expect(times.reduce(0, +) / times.count > median)

        let preloaded = plays.filter { $0.tags["preloaded"] == "yes" }.compactMap(\.event.startupMs)
        #expect(try #require(preloaded.percentile(50)) < 100)
        #expect(preloaded.contains(0))
    }

    @Test("fail in half a per cent to five, with codes of Apple's frameworks, before the start and after it")
    func failures() {
        #expect((0.005...0.05).contains(failureShare(plays)))
        let failed = plays.filter { $0.event.error != nil }
        let domains: Set = ["CoreMediaErrorDomain", "NSURLErrorDomain", "AVFoundationErrorDomain"]
        let codes = failed.compactMap(\.event.error)
        #expect(codes.allSatisfy { domains.contains($0.domain) && $0.code < -999 })
        #expect(Set(codes).count >= 8)
        #expect(failed.contains { $0.hasStarted })
        #expect(failed.contains { !$0.hasStarted })
        #expect(plays.contains { $0.event.attempt == 2 })
    }

    @Test("stall seldom and then for long, most of it in a few sessions")
    func stalls() throws {
        let ratio = rebufferRatio(plays)
        #expect((0.001...0.02).contains(ratio))
        let longest = try #require(plays.map(\.event.stalledMs).max())
        #expect(longest > 10_000)
        let sessions = Dictionary(grouping: plays) { $0.session ?? "" }.values.map { session in
            session.reduce(0) { $0 + $1.event.stalledMs }
        }
        let worst = sessions.sorted(by: >).prefix(sessions.count / 10).reduce(0, +)
        #expect(Double(worst) > 0.6 * Double(sessions.reduce(0, +)))
    }

    @Test("show the evening on which one region had trouble")
    func troubledEvening() throws {
        let region = plays.filter { $0.region == trouble.region }
        let evening = region.filter { (trouble.begin..<trouble.end).contains($0.time) }
        let rest = region.filter { !(trouble.begin..<trouble.end).contains($0.time) }
        #expect(evening.count > 100)
        #expect(rebufferRatio(evening) > 5 * rebufferRatio(rest))
        #expect(failureShare(evening) > 1.5 * failureShare(rest))
        let bad = try #require(evening.compactMap(\.event.startupMs).percentile(95))
        let good = try #require(rest.compactMap(\.event.startupMs).percentile(95))
        #expect(bad > good * 3 / 2)
    }

    @Test("keep to the app's caps: 2 Mbit/s on Wi-Fi, 0.8 on mobile networks")
    func caps() {
        for (network, cap) in [("wifi", 2_000_000), ("cellular", 800_000), ("constrained", 400_000)] {
            let rates = plays.filter { $0.network == network }.compactMap(\.event.avgBitrate)
            #expect(rates.count > 100)
            // Clips that were loaded before a device changed its network have what the other one allowed.
            #expect(rates.count { $0 > cap } <= rates.count / 200)
            #expect(rates.reduce(0, +) / rates.count > cap * 8 / 10)
        }
    }

    @Test("come in sessions of about forty clips, each on one device")
    func sessions() {
        let sessions = Dictionary(grouping: plays) { $0.session ?? "" }
        #expect(sessions[""] == nil)
        let mean = Double(plays.count) / Double(sessions.count)
        #expect((30...50).contains(mean))
        for session in sessions.values {
            #expect(Set(session.map(\.deviceModel)).count == 1)
            #expect(Set(session.map(\.senderId)).count == 1)
        }
    }

    @Test("leave few plays in one region, and some without any")
    func regions() {
        let counts = Dictionary(grouping: plays) { $0.region ?? "" }.mapValues(\.count)
        #expect(Set(counts.keys) == ["eu-west", "eu-central", "us-east", "us-west", "ap-south", "af-south", ""])
        #expect((20...80).contains(counts["af-south"] ?? 0))
        #expect(counts.filter { !["", "af-south"].contains($0.key) }.values.allSatisfy { $0 > 300 })
    }

    @Test("follow the viewers' day: most in the evening, fewest at night")
    func daytime() {
        let hours = plays.filter { $0.region == "eu-west" }.map { Int($0.time / 3_600_000 % 24) }
        let evening = hours.count { (19...22).contains($0) }
        let night = hours.count { (2...5).contains($0) }
        #expect(evening > 5 * night)
    }

    @Test("tell the bytes that most players counted, and leave the others to be estimated")
    func bytes() {
        let measured = plays.filter { $0.event.bytes != nil }
        #expect((0.7...0.95).contains(Double(measured.count) / Double(plays.count)))
        let watched = measured.filter { ($0.event.avgBitrate ?? 0) > 0 && $0.event.watchedMs > 10_000 }
        let received = watched.reduce(0) { $0 + Double($1.event.bytes ?? 0) }
        let shown = watched.reduce(0) {
            $0 + Double($1.event.avgBitrate ?? 0) * Double($1.event.watchedMs - $1.event.stalledMs) / 8_000
        }
        // More is loaded than watched, less than loops show.
        #expect((0.8...1.5).contains(received / shown))
    }

    @Test("start sooner with players that load ahead, and only a pool by clip finds a clip again")
    func lifecycles() throws {
        let byStrategy = Dictionary(grouping: plays) { $0.tags["lifecycle"] ?? "" }
        #expect(Set(byStrategy.keys) == ["default", "reuse_pool", "id_scoped_pool", "singleton"])
        func median(_ strategy: String) throws -> Int {
            try #require(byStrategy[strategy]?.compactMap(\.event.startupMs).percentile(50))
        }
        for pool in ["reuse_pool", "id_scoped_pool"] {
            #expect(try median(pool) < median("default") / 2)
            #expect(try median(pool) < median("singleton") / 2)
        }
        let hits = plays.filter { $0.tags["acquired"] == "hit" }
        #expect(Set(hits.map { $0.tags["lifecycle"] }) == ["id_scoped_pool"])
        #expect(hits.contains { $0.tags["preloaded"] == "no" })
    }
}
