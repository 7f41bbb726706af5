import Archive
import PlayStore
import Reports
import SQLite
import Testing

@Suite("Two threads of a report")
struct ThreadsTests {
    /// Plays that two halves of a store show, by their arrivals; nil where there is one part.
    private static func halves(_ store: SQLiteReportStore) throws -> (first: [Int64], second: [Int64])? {
        let stretch = PlayStretch(hours: nil)
        guard let scanner = store.scanner, let halves = try scanner.halves(of: stretch) else { return nil }
        var arrivals: ([Int64], [Int64]) = ([], [])
        try scanner.scan(halves.first, []) { arrivals.0.append($0.arrival) }
        try halves.companion.scan(halves.second, []) { arrivals.1.append($0.arrival) }
        return arrivals
    }

    /// A play an hour, some of them late.
    private static func load(_ fixture: StoreFixture, plays: Int) throws {
        for number in 0..<plays {
            let age = number % 3 == 0 ? #","ageMs":\#(number * 7_200_000)"# : ""
            try fixture.receive(
                events: [event(#""attempt":1\#(age)"#)],
                at: StoreFixture.halfPastTen + Int64(number) * StoreFixture.hour)
        }
        try fixture.load()
    }

    @Test("see every play once, and nothing that a server has committed since")
    func snapshot() throws {
        let fixture = try StoreFixture()
        try Self.load(fixture, plays: 30)
        let store = try SQLiteReportStore(path: fixture.data.database, threads: 2, fewestForTwo: 0)
        try store.snapshot {
            try Self.load(fixture, plays: 5)
            let halves = try #require(try Self.halves(store))
            #expect((halves.first + halves.second).sorted() == Array(1...30))
            #expect(!halves.first.isEmpty && !halves.second.isEmpty)
        }
        try store.snapshot {
            let halves = try #require(try Self.halves(store))
            #expect((halves.first + halves.second).sorted() == Array(1...35))
        }
        let outside = try Self.halves(store)
        #expect(outside == nil)
    }

    @Test("are one where the database's file is another by now, or where one is asked for")
    func single() throws {
        let fixture = try StoreFixture()
        try Self.load(fixture, plays: 10)
        let one = try SQLiteReportStore(path: fixture.data.database, threads: 1, fewestForTwo: 0)
        let halves = try one.snapshot { try Self.halves(one) }
        #expect(halves == nil)
        let old = try SQLiteReportStore(path: fixture.data.database, threads: 2, fewestForTwo: 0)
        try StoreRebuild.run(data: fixture.data)
        let others = try old.snapshot { try Self.halves(old) }
        #expect(others == nil)
    }

    @Test("read what came on a day from other days' hours too")
    func receipts() throws {
        let fixture = try StoreFixture()
        for number in 0..<12 {
            try fixture.receive(events: [event(#""attempt":1,"ageMs":\#(number * 7_200_000)"#)])
        }
        try fixture.load()
        let store = try SQLiteReportStore(path: fixture.data.database, threads: 1)
        let hour = StoreFixture.halfPastTen / StoreFixture.hour
        var arrivals: [Int64] = []
        let stretch = PlayStretch(hours: hour...hour, receipts: hour...hour)
        try store.scanner?.scan(stretch, [.figures]) { play in
            arrivals.append(play.arrival)
            // What lies elsewhere comes with nothing but its place.
            #expect((play.attempt == 1) == (play.endedAt / StoreFixture.hour == hour))
        }
        #expect(arrivals.sorted() == Array(1...12))
    }
}
