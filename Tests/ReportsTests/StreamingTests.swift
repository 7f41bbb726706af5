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

    @Test(
        "says on two threads what it says on one",
        arguments: ["envelope", "tiny-by-hand", "intervals-by-hand", "regions-mixed", "empty", "time-zones"])
    func threads(_ name: String) throws {
        let cases = try CaseStore(name)
        let (one, two) = (try cases.threaded(1), try cases.threaded(2))
        try two.snapshot {
            let (whole, halves) = try (
                one.scanner?.halves(of: .init(hours: nil)), two.scanner?.halves(of: .init(hours: nil))
            )
            #expect(whole == nil)
            #expect((halves != nil) == (name != "empty"))
        }
        for request in Self.requests {
            let single = try ReportMaker(store: one).document(ReportMetric.allCases, request)
            let double = try ReportMaker(store: two).document(ReportMetric.allCases, request)
            #expect(single.tables.map(CSVRenderer.render) == double.tables.map(CSVRenderer.render), "\(name)")
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
        let table = try SessionTable(of: [1, 2, 3, 5, 6], in: scanner)
        #expect([1, 2, 3, 5, 6].map { table.number(of: $0) } == [0, 1, 0, 2, 1])
        #expect(table.number(of: 4) == nil)
        #expect(table.count == 3)
        var runs: [UInt32] = []
        table.forEachRun(of: 0) { runs.append($0) }
        #expect(runs == [1, 3])
    }

    @Test("finds every cluster of a run that is in many groups")
    func clusters() {
        var table = ClusterTable()
        for round in 0..<2 {
            for run in [UInt32(7), 4_000_000_000] {
                for group in 0..<Int32(40) {
                    let number = table.number(run: run, group: group)
                    #expect(table[number].plays == round)
                    table.update(number) { $0.plays += 1 }
                }
            }
        }
        for run in [UInt32(7), 4_000_000_000] {
            var groups: Set<Int32> = []
            table.forEach(of: run) { groups.insert($0.pointee.group) }
            #expect(groups == Set(0..<40))
        }
        #expect(RunTable.runs(in: [table.heads, RunTable()]) == [7, 4_000_000_000])
    }

    @Test("counts every startup, short or long, in the first groups and in later ones")
    func startups() {
        var counter = StartupCounter()
        for (ms, group) in [(Int64(5), Int32(0)), (90_000, 0), (5, 0), (90_000, 0), (16_383, 40), (2, 40)] {
            counter.add(ms, group: group, isLone: ms == 90_000)
        }
        let bars = counter.bars(groups: 41)
        #expect(bars[0] == [.init(ms: 5, plays: 2, lonePlays: 0), .init(ms: 90_000, plays: 2, lonePlays: 2)])
        #expect(bars[40] == [.init(ms: 2, plays: 1, lonePlays: 0), .init(ms: 16_383, plays: 1, lonePlays: 0)])
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

    func scan(_ stretch: PlayStretch, _ parts: ScannedPlay.Parts, _ visit: (ScannedPlay) throws -> Void) throws {}
    func halves(of stretch: PlayStretch) throws -> PlayHalves? { nil }
    func value(of dimension: PlayDimension, in entry: Int64) throws -> ByteText? { nil }
    func regionSource(in entry: Int64) throws -> ScannedPlay.RegionSource? { nil }
    func sessionlessRuns() throws -> [UInt32] { [] }
    func accounts(receivedBefore end: Int64, _ visit: (Account) throws -> Void) throws {}
    func senders(_ visit: (Int, UnsafeRawBufferPointer) throws -> Void) throws {}
    func session(in run: UInt32) throws -> ByteText? { sessions[Int(run) - 1].map { ByteText($0) } }
    func sessions(of runs: [UInt32], _ visit: (UInt32, UnsafeRawBufferPointer) throws -> Void) throws {
        for run in runs {
            if let session = try session(in: run) { try session.bytes.withUnsafeBytes { try visit(run, $0) } }
        }
    }
}

@Suite("The plays kept for a second look")
struct KeptPlaysTests {
    @Test("come as they were kept, whatever lies between their clusters and however long they took to start")
    func round() {
        var plays = KeptPlays()
        var kept: [Int: [Int64]] = [:]
        for number in 0..<200_000 {
            let cluster = number % 50 == 49 ? number * 7 : number / 16
            let startup = Int64(number % 5_000)
            kept[cluster, default: []].append(startup)
            plays.add(cluster: cluster, startupMs: startup)
        }
        plays.add(cluster: 2_000_000_000, startupMs: 4_095)
        kept[2_000_000_000] = [4_095]
        plays.forEachStarted { cluster, startup in
            if let place = kept[cluster]?.firstIndex(of: startup) {
                kept[cluster]?.remove(at: place)
            } else {
                Issue.record()
            }
        }
        let isOver = kept.values.allSatisfy { $0.isEmpty }
        #expect(isOver)
        #expect(plays.isComplete)
    }

    @Test("are all given up when there is one too many, or one that does not fit")
    func limit() {
        var plays = KeptPlays(limit: 32)
        for number in 0..<8 { plays.add(cluster: number, startupMs: 1) }
        #expect(plays.isComplete)
        plays.add(cluster: 8, startupMs: 1)
        #expect(!plays.isComplete)
        plays.forEachStarted { _, _ in Issue.record() }
        var lone = ScannedPlay()
        lone.watchedMs = 1 << 40
        var others = KeptPlays()
        others.add(lone: lone, group: 0)
        #expect(!others.isComplete)
    }
}

@Suite("The request that brought a play")
struct RequestFinderTests {
    @Test("is found by the play's number, wherever requests are dense or far apart")
    func find() {
        var requests: [RequestFinder.Request] = []
        var next: Int64 = 1_000
        for number in 0..<500 {
            let last = next + Int64(number % 7)
            requests.append(.init(arrivals: next...last, tally: number))
            next = last + (number % 50 == 0 ? 100_000 : 1)
        }
        let finder = RequestFinder(requests.reversed())
        for request in requests {
            for arrival in request.arrivals { #expect(finder.tally(of: arrival) == request.tally) }
        }
        #expect(finder.tally(of: 999) == nil)
        #expect(finder.tally(of: requests[50].arrivals.upperBound + 1) == nil)
        #expect(finder.tally(of: next) == nil)
        #expect(RequestFinder([]).tally(of: 0) == nil)
    }
}
