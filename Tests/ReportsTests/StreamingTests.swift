import PlayStore
import Testing

@testable import Reports

@Suite("Counting play by play")
struct StreamingTests {
    static let requests: [ReportRequest] = {
        let day = CalendarDay("2026-11-28") ?? CalendarDay(number: 0)
        let stockholm = (try? ReportZone(named: "Europe/Stockholm")) ?? .utc
        return [
            ReportRequest(), ReportRequest(by: [.day, .cdnRegion], zone: stockholm), ReportRequest(by: []),
            ReportRequest(by: [.errorCode, .network]), ReportRequest(days: .day(day), by: [.hour], zone: stockholm),
            ReportRequest(by: [.tag("lifecycle"), .appVersion, .cdn], targetMs: 400),
            ReportRequest(by: [.source]), ReportRequest(by: [.videoId]),
            ReportRequest(days: .range(day, day.advanced(by: 1)), filters: [PlayFilter(.network, "wifi")]),
            ReportRequest(
                by: [.network],
                filters: [
                    PlayFilter(.cdnRegion, "(unknown)", isNegated: true),
                    PlayFilter(.day, "2026-11-27", isNegated: true),
                ]),
            ReportRequest(filters: [PlayFilter(.hour, "2026-11-28T20:00+01:00")], zone: stockholm),
            ReportRequest(filters: [PlayFilter(.errorCode, "(none)"), PlayFilter(.tag("lifecycle"), "new")]),
            ReportRequest(days: .range(day, day.advanced(by: -1))),
        ]
    }()

    @Test(
        "says what the queries say, cell by cell",
        arguments: ["envelope", "tiny-by-hand", "intervals-by-hand", "regions-mixed", "empty", "time-zones"])
    func equal(_ name: String) throws {
        let cases = try CaseStore(name)
        #expect(cases.store.scanner != nil)
        let queried = ReportMaker(store: try cases.queried())
        for request in Self.requests {
            let one = try cases.maker.document(ReportMetric.allCases, request)
            let other = try queried.document(ReportMetric.allCases, request)
            #expect(one.plays.downloads == other.plays.downloads)
            #expect(one.plays.asOf == other.plays.asOf)
            for (one, other) in zip(one.tables, other.tables) {
                #expect(CSVRenderer.render(one) == CSVRenderer.render(other), "\(name), \(one.name)")
            }
        }
    }

    @Test("compares as the queries do", arguments: ["regions-mixed", "time-zones"])
    func comparison(_ name: String) throws {
        let cases = try CaseStore(name)
        let queried = ReportMaker(store: try cases.queried())
        let day = try #require(CalendarDay(name == "time-zones" ? "2026-10-25" : "2026-11-28"))
        for (reference, request) in [
            (ComparisonReference.rest, ReportRequest()), (.rest, ReportRequest(by: [.network, .tag("lifecycle")])),
            (.previous, ReportRequest(days: .day(day), by: [.network])),
            (.previous, ReportRequest(days: .range(day, day.advanced(by: 1)), by: [.cdnRegion, .day])),
        ] {
            let one = try cases.maker.document([], request, comparing: reference)
            let other = try queried.document([], request, comparing: reference)
            #expect(one.tables.map(CSVRenderer.render) == other.tables.map(CSVRenderer.render))
        }
    }

    @Test("takes two entries of one session for one")
    func sessions() throws {
        let scanner = StubScanner(sessions: ["a", "b", "a", nil, "c", "b"])
        var table = SessionTable()
        let numbers = try (0...6).map { try table.number(of: Int64($0), in: scanner) }
        #expect(numbers == [nil, 0, 1, 0, nil, 2, 1])
        #expect(table.count == 3)
    }

    @Test("keeps every number of a growing table")
    func indexTable() {
        var table = IndexTable()
        var random = SplitMix(seed: 11)
        var known: [UInt64: Int32] = [0: 0]
        #expect(table.number(of: 0, orElse: 0) == 0)
        for _ in 0..<20_000 {
            let key = random.next() % 8_000
            let next = Int32(known.count)
            let number = known[key] ?? next
            known[key] = number
            #expect(table.number(of: key, orElse: next) == number)
        }
        for (key, number) in known { #expect(table.number(of: key) == number) }
        #expect(table.number(of: 9_000) == nil)
    }
}

/// Sessions by entry, from entry 1 on.
private final class StubScanner: PlayScanner {
    private let sessions: [String?]

    init(sessions: [String?]) {
        self.sessions = sessions
    }

    func scan(
        _ hours: ClosedRange<Int64>?, _ parts: ScannedPlay.Parts, _ visit: (ScannedPlay) throws -> Void
    ) throws {}
    func value(of dimension: PlayDimension, in entry: Int64) throws -> ByteText? { nil }
    func session(in entry: Int64) throws -> ByteText? { sessions[Int(entry) - 1].map { ByteText($0) } }
    func regionSource(in entry: Int64) throws -> ScannedPlay.RegionSource? { nil }
}

@Suite("The plays kept for a second look")
struct StartedPlaysTests {
    @Test("come in their order, until there is one that can't be kept")
    func order() {
        var plays = StartedPlays()
        for number in 0..<200_000 { plays.add(cluster: number, startupMs: Int64(number % 7_000)) }
        var seen: [(Int, Int64)] = []
        plays.forEach { seen.append(($0, $1)) }
        #expect(seen.count == 200_000)
        #expect(seen.enumerated().allSatisfy { $1 == ($0, Int64($0 % 7_000)) })
        plays.giveUp()
        plays.add(cluster: 1, startupMs: 1)
        #expect(!plays.isComplete)
    }
}
