import Testing

@testable import Reports

@Suite("A report with limits")
struct LimitTests {
    private func maker(_ store: any ReportStore, groups: Int = .max, rows: Int = .max) -> ReportMaker {
        var limits = ReportLimits()
        limits.groups = groups
        limits.rows = rows
        return ReportMaker(store: store, limits: limits)
    }

    @Test("says that there are more groups than it may have, and not at that number itself")
    func groups() throws {
        let cases = try CaseStore("regions-mixed")
        let groups = try #require(try cases.maker.plays(ReportRequest()).periods.first?.groups.count)
        #expect(groups > 2)
        let store = cases.store
        let whole = try maker(store, groups: groups).table(.summary, ReportRequest())
        #expect(CSVRenderer.render(whole) == CSVRenderer.render(try cases.maker.table(.summary, ReportRequest())))
        #expect(throws: ReportLimitError.groups(most: groups - 1)) {
            try maker(store, groups: groups - 1).table(.summary, ReportRequest())
        }
        _ = try maker(store, groups: 0).table(.summary, ReportRequest(by: []))
    }

    @Test("has the groups with the fewest plays as one, counted over its plays as if they had shared a name")
    func other() throws {
        var plays = RandomPlays.make(seed: 5, count: 600)
        for index in plays.indices { plays[index].cdnRegion = "r\(index % 40 < 30 ? index % 3 : 3 + index % 8)" }
        var limits = ReportLimits()
        limits.named = 3
        var renamed = plays
        for index in plays.indices where index % 40 >= 30 { renamed[index].cdnRegion = "other" }
        let request = ReportRequest(by: [.day, .cdnRegion])
        for metric in ReportMetric.allCases where metric != .delivery && metric != .volume {
            let cut = try ReportMaker(store: PlayTable(plays).store, limits: limits).table(metric, request)
            let whole = try PlayTable(renamed).maker.table(metric, request)
            func lines(_ table: ReportTable) -> [String] {
                CSVRenderer.render(table).replacing("(other)", with: "other").split(separator: "\r\n").map(String.init)
            }
            #expect(lines(cut).sorted() == lines(whole).sorted(), "\(metric)")
        }
        let names = try ReportMaker(store: PlayTable(plays).store, limits: limits).plays(request).periods.map {
            period in
            period.groups.map { $0.names[0] }
        }
        #expect(names.allSatisfy { $0.last == "(other)" && $0.count == 4 })
        // A volume goes by CDN and region, and has the smallest of those as one.
        let volume = try ReportMaker(store: PlayTable(plays).store, limits: limits).table(.volume, ReportRequest())
        let counts = volume.rows.map { Int($0[3].plain) ?? 0 }
        #expect(volume.rows.count == 5 && volume.rows[3][1...2].allSatisfy { $0.plain == "(other)" })
        #expect(counts.dropLast().reduce(0, +) == counts.last)
    }

    @Test("is too dear where its percentiles by group and period would take more memory than it may")
    func memory() throws {
        let day: Int64 = 86_400_000
        let first = try #require(CalendarDay("2025-11-01"))
        let start = try #require(Moment("2025-11-01T12:00Z")).milliseconds
        let plays = (0..<4_000).map { StoredPlay(cdnRegion: "r\($0)", endedAt: start + Int64($0 % 390) * day) }
        let store = try PlayTable(plays).store
        var request = ReportRequest(by: [.day, .cdnRegion])
        request.days = .range(first, first.advanced(by: 389))
        #expect(throws: ReportLimitError.self) { try maker(store, groups: 100_000).table(.startup, request) }
        // By region alone there is room.
        #expect(try maker(store, groups: 100_000).table(.startup, ReportRequest(by: [.cdnRegion])).rows.count == 4_001)
    }

    @Test("shows the largest groups by plays or by a column, and (all) of all plays")
    func largest() throws {
        let cases = try CaseStore("regions-mixed")
        var request = ReportRequest()
        let whole = try #require(try cases.maker.plays(request).periods.first)
        request.limit = 2
        let two = try #require(try cases.maker.plays(request).periods.first)
        #expect(two.groups.map(\.names) == whole.groups.prefix(2).map(\.names))
        #expect(two.groupsLeftOut == whole.groups.count - 2)
        #expect(two.all.totals[.plays] == whole.all.totals[.plays])
        request.sort = "failure_ratio"
        request.limit = nil
        let byFailures = try #require(try cases.maker.plays(request).periods.first).groups.map { $0.failed.value ?? -1 }
        #expect(byFailures == byFailures.sorted(by: >))
        #expect(
            throws: ReportRequestError("no column 'failure_rate' to order groups by: did you mean 'failure_ratio'?")
        ) {
            try GroupOrder.column("failure_rate")
        }
        var volume = ReportRequest(by: [])
        volume.sort = "bytes"
        volume.limit = 2
        let bytes = try cases.maker.table(.volume, volume).rows.map { Int($0[4].plain) ?? 0 }
        #expect(bytes.count == 3 && bytes[0] >= bytes[1] && bytes[2] > bytes[0] + bytes[1])
        #expect(
            TextTableRenderer.render(try cases.maker.document([.volume], volume)).contains(
                "groups are left out, with less bytes than those shown"))
        request.limit = 1
        let text = TextTableRenderer.render(try cases.maker.document([.summary, .delivery], request))
        #expect(text.contains("groups are left out, with less failure_ratio than those shown; (all) has their plays."))
    }

    @Test(
        "by hours has them in order of time where people read, those without plays too; files keep the order of plays")
    func hours() throws {
        let hour: Int64 = 3_600_000
        let start = try #require(Moment("2026-10-24T22:00Z")).milliseconds
        let plays = [(0, 1), (2, 3), (3, 1), (5, 2)].flatMap { (position: Int64, count) in
            (0..<count).map { _ in StoredPlay(cdnRegion: "eu", endedAt: start + position * hour) }
        }
        let zone = try ReportZone(named: "Europe/Stockholm")
        func hours(_ dimensions: [PlayDimension]) throws -> [HumanTable] {
            let request = ReportRequest(by: dimensions, zone: zone)
            return try PlayTable(plays).maker.document([.quality], request).sections.flatMap(\.tables)
        }
        let table = try hours([.hour])[0]
        let expected = [
            "2026-10-25T00:00+02:00", "2026-10-25T01:00+02:00", "2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00",
            "2026-10-25T03:00+01:00", "2026-10-25T04:00+01:00", "(all)",
        ]
        #expect(table.rows.map(\.[0].text.value) == expected)
        #expect(table.rows.map(\.[1].text.value) == ["1", "0", "3", "1", "0", "2", "7"])
        #expect(try hours([.cdnRegion, .hour])[0].rows.map(\.[2].text.value) == ["1", "3", "1", "2", "7"])
        let file = try PlayTable(plays).maker.table(.quality, ReportRequest(by: [.hour], zone: zone))
        #expect(file.rows.map { $0[2] } == [3, 2, 1, 1, 7].map { .integer($0) })
    }

    @Test("has no table with more rows than it may, those of error codes among them")
    func rows() throws {
        let cases = try CaseStore("regions-mixed")
        for metric in [ReportMetric.summary, .failures, .histogram] {
            let rows = try cases.maker.table(metric, ReportRequest()).rows.count
            #expect(rows > 1)
            let most = max(rows, try cases.maker.table(.summary, ReportRequest()).rows.count)
            _ = try maker(cases.store, rows: most).table(metric, ReportRequest())
            #expect(throws: ReportLimitError.rows(most: rows - 1)) {
                try maker(cases.store, rows: rows - 1).table(metric, ReportRequest())
            }
        }
    }

    @Test("is given up after its time, whatever it is doing")
    func time() throws {
        let cases = try CaseStore("regions-mixed")
        var limits = ReportLimits()
        limits.end = .now - .seconds(1)
        let maker = ReportMaker(store: cases.store, limits: limits)
        #expect(throws: ReportLimitError.time) { try maker.table(.summary, ReportRequest()) }
        #expect(throws: ReportLimitError.time) { try maker.page(ReportRequest()) }
    }

    @Test("shows all plays together on the page where there are too many groups, and says so")
    func page() throws {
        let cases = try CaseStore("regions-mixed")
        let page = try maker(cases.store, groups: 1).page(ReportRequest())
        #expect(page.leftOut == [.cdnRegion])
        #expect(page.whole.plays.periods.first?.groups.isEmpty == true)
        let all = try #require(try cases.maker.plays(ReportRequest()).periods.first?.all.totals)
        #expect(page.whole.plays.periods.first?.all.totals[.plays] == all[.plays])
        #expect(HTMLRenderer.render(page).contains("too many groups by cdnRegion"))
        #expect(!HTMLRenderer.render(try maker(cases.store, groups: 1_000).page(ReportRequest())).contains("too many"))
    }

    @Test("keeps the most frequent error codes of each group where there are too many, and makes no table of the rest")
    func codes() throws {
        let cases = try CaseStore("regions-mixed")
        var limits = ReportLimits()
        limits.failures = 1
        let maker = ReportMaker(store: cases.store, limits: limits)
        let whole = try #require(try cases.maker.plays(ReportRequest()).periods.first)
        let report = try maker.plays(ReportRequest())
        let cut = try #require(report.periods.first)
        #expect(report.failuresLeftOut > 0)
        #expect(cut.groups.map { $0.failures.map(\.code) } == whole.groups.map { $0.failures.prefix(1).map(\.code) })
        #expect(cut.all.failures.map(\.code) == whole.all.failures.prefix(10).map(\.code))
        let left = [whole.all.failures.count - 10] + whole.groups.map { $0.failures.count - 1 }
        #expect(report.failuresLeftOut == left.reduce(0) { $0 + max(0, $1) })
        #expect(HTMLRenderer.render(try maker.page(ReportRequest())).contains("rarer codes are left out"))
        #expect(throws: ReportLimitError.codes(most: 1)) { try maker.table(.failures, ReportRequest()) }
        _ = try maker.table(.summary, ReportRequest())
    }
}
