import PlaybackMetricsClient
import Testing

@testable import PlaybackSimulation

@Suite("A simulation")
struct RepeatabilityTests {
    @Test("writes the same bytes for the same seed, however many devices play at the same time")
    func sameSeed() async throws {
        let alone = try await RecordedPlays(.small(), width: 1)
        let together = try await RecordedPlays(.small(), width: 7)
        #expect(alone.bytes == together.bytes)
        #expect(alone.report == together.report)
        #expect(alone.plays.count > 200)
    }

    @Test("writes other plays for another seed")
    func otherSeed() async throws {
        let one = try await RecordedPlays(.small(seed: 1, sessions: 3))
        let other = try await RecordedPlays(.small(seed: 2, sessions: 3))
        #expect(one.bytes != other.bytes)
        let ids = Set(one.plays.map(\.event.playId))
        #expect(other.plays.allSatisfy { !ids.contains($0.event.playId) })
    }

    @Test("computes the same events for a device whenever it is asked")
    func sameDevice() throws {
        let simulation = Simulation(.small())
        var audience = Audience(.small())
        let devices = [audience.next(), audience.next()].compactMap(\.self)
        let (one, other) = (try #require(devices.first), try #require(devices.last))
        let first = simulation.events(of: one).map(\.time)
        _ = simulation.events(of: other)
        #expect(first == simulation.events(of: one).map(\.time))
        #expect(first == first.sorted())
    }

    @Test("has as many sessions as were asked for, or those that fit before the end")
    func sessions() async throws {
        let recorded = try await RecordedPlays.twoDays.value
        #expect((290...300).contains(recorded.report.sessions))
        #expect(recorded.report.devices < recorded.report.sessions)
    }

    @Test("keeps every player in the one way that was asked for")
    func lifecycle() async throws {
        var configuration = Simulation.Configuration.small()
        configuration.lifecycle = .singleton
        let recorded = try await RecordedPlays(configuration)
        #expect(Set(recorded.plays.map { $0.tags["lifecycle"] }) == ["singleton"])
    }
}
