import Foundation
import PlaybackMetricsClient
import TestSupport
import Testing

@Suite("Time-ordered ids")
struct TimeOrderedIDsTests {
    @Test("have the layout of version 7")
    func layout() {
        let maker = TimeOrderedIDs(milliseconds: { 0x0123_4567_89AB }, random: Ones())
        #expect(maker.makeID().uuidString == "01234567-89AB-7FFF-BFFF-FFFFFFFFFFFF")
    }

    @Test("sort by the time at which they were made")
    func order() {
        let time = Mutable<Int64>(1_700_000_000_000)
        let maker = TimeOrderedIDs(milliseconds: { time.value }, random: SeededGenerator(seed: 1))
        let ids = (0..<200).map { _ in
            time.value += 1
            return maker.makeID().uuidString
        }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == 200)
    }

    @Test("are the same for the same time and the same chance, and bear any clock")
    func seeded() {
        for time in [Int64.min, -1, 0, .max] {
            let first = TimeOrderedIDs(milliseconds: { time }, random: SeededGenerator(seed: 5)).makeID()
            let second = TimeOrderedIDs(milliseconds: { time }, random: SeededGenerator(seed: 5)).makeID()
            #expect(first == second)
            #expect(first.uuid.6 >> 4 == 7 && first.uuid.8 >> 6 == 2)
        }
    }

    @Test("of sessions change when the app comes back to the foreground")
    func sessions() {
        let session = PlaybackSession(ids: NumberedIDs())
        #expect(session.id == session.id)
        #expect(session.id.uuid == NumberedIDs.id(1))
        session.renew()
        #expect(session.id.uuid == NumberedIDs.id(2))
    }

    @Test("come from the device's clock when nothing else is said")
    func deviceClock() {
        let id = TimeOrderedIDs.shared.makeID().uuidString.replacingOccurrences(of: "-", with: "")
        let made = Int64(id.prefix(12), radix: 16) ?? 0
        #expect(abs(made - TimeOrderedIDs.deviceClock()) < 60_000)
    }
}

private struct Ones: RandomNumberGenerator {
    mutating func next() -> UInt64 { .max }
}
