import PlayStore
import PlaybackEvents
import StoreTestSupport
import Testing

/// A repeat whose age is true, after the clock that receives it has stepped.
@Suite("A play that comes again after a step of the server's clock")
struct ClockStepTests {
    private let fixture: StoreFixture
    private let ten = StoreFixture.halfPastTen - 30 * StoreFixture.minute
    private let minute = StoreFixture.minute
    private let hour = StoreFixture.hour

    init() throws {
        fixture = try StoreFixture()
    }

    private static let steps: [Int64] = [-24, -1, 1, 24].map { $0 * StoreFixture.hour }

    private func receive(_ id: String, age: Int64, at receivedAt: Int64) throws {
        try fixture.receive(events: [event(id: id, #""ageMs":\#(age)"#)], at: receivedAt)
    }

    @Test("is stored once, loaded at once or commit by commit, and after a restart", arguments: steps, [1, 65_536])
    func once(step: Int64, rows: Int) throws {
        var configuration = FollowerConfiguration()
        configuration.batchRows = rows
        configuration.chunkBytes = 1
        for start in [ten + minute, ten + 20 * minute, ten + 59 * minute] {
            let fixture = try StoreFixture()
            for restarts in [false, true] {
                let id = restarts ? secondId : firstId
                try fixture.receive(events: [event(id: id, #""ageMs":2000"#)], at: start)
                if restarts { try fixture.load(configuration) }
                try fixture.receive(events: [event(id: id, #""ageMs":32000"#)], at: start + 30_000 + step)
                // The clock is set right again, and the play comes once more.
                try fixture.receive(events: [event(id: id, #""ageMs":62000"#)], at: start + 60_000)
            }
            let totals = try fixture.load(configuration)
            #expect(totals.loaded == 2 && totals.duplicates == 4 && totals.conflicts == 0)
            #expect(try StoreVerifier.run(data: fixture.data).findings == [])
            let before = try fixture.dump()
            try StoreRebuild.run(data: fixture.data)
            #expect(try fixture.dump() == before)
        }
    }

    @Test("is stored once beside others, late ones among them, though the clock steps again and again")
    func amongOthers() throws {
        var now = ten
        var number = 0
        for step in [hour, -hour, -24 * hour, 24 * hour, 2 * hour, hour] {
            for _ in 0..<20 {
                number += 1
                now += 5_000
                try receive(SampleId.number(number), age: Int64(number % 7) * 20 * minute, at: now)
            }
            now += step
        }
        #expect(try fixture.load().loaded == 120)
        // What has gone by on a clock that never steps is 5 s for each play.
        for again in 1...120 {
            now += 5_000
            let elapsed = Int64(120 - again + again) * 5_000
            try receive(SampleId.number(again), age: Int64(again % 7) * 20 * minute + elapsed, at: now)
        }
        let totals = try fixture.load()
        #expect(totals.loaded == 120 && totals.duplicates == 120)
        #expect(try StoreVerifier.run(data: fixture.data).findings == [])
    }

    @Test("is stored once when its age crosses thirty days on the way", arguments: [0] + steps)
    func thirtyDays(step: Int64) throws {
        let limit = 30 * 24 * hour
        try receive(firstId, age: limit - 1_000, at: ten)
        try receive(firstId, age: limit + 1_000, at: ten + 2_000 + step)
        try receive(firstId, age: limit + 3_000, at: ten + 4_000 + step)
        let totals = try fixture.load()
        #expect(totals.loaded == 1 && totals.duplicates == 2)
    }

    @Test("is two plays, as documented, when more than an hour without any request hides the step")
    func hidden() throws {
        try receive(firstId, age: 0, at: ten)
        try receive(firstId, age: 5 * hour, at: ten + 5 * hour + 24 * hour)
        #expect(try fixture.load().loaded == 2)
    }

    @Test("costs a bounded number of looks, however often the clock steps")
    func bounded() throws {
        // An import in no order at all: every receipt is a step.
        for number in 0..<600 {
            try receive(SampleId.number(number), age: 40 * minute, at: ten + Int64(number * 7_919 % 600) * 2 * hour)
        }
        #expect(try fixture.load().loaded == 600)
        let credit = try fixture.integer("SELECT clock_credit FROM totals")
        #expect(credit >= 0 && credit < 4_096 * 8)
        #expect(try fixture.integer("SELECT count(*) FROM clock_steps") == 8)
    }

    private enum SampleId {
        static func number(_ number: Int) -> String {
            let digits = String(number)
            return "01930000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        }
    }
}
