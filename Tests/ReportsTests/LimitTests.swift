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

    @Test("has no table with more rows than it may, those of error codes among them")
    func rows() throws {
        let cases = try CaseStore("regions-mixed")
        for metric in [ReportMetric.summary, .failures] {
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
