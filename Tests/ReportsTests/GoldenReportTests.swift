import Foundation
import Reports
import Testing
import TestSupport

@Suite("A report")
struct GoldenReportTests {
    @Test(
        "is made of as many plays as the case says, and nothing that was not taken", arguments: try! GoldenCounts.all())
    func counts(_ golden: GoldenCounts) throws {
        let found = try CaseStore(golden.dataSet).counts()
        #expect(found == golden.expected)
    }

    @Test("says what the case says, cell by cell", arguments: try! GoldenCase.all())
    func goldenCase(_ golden: GoldenCase) throws {
        let store = try CaseStore(golden.dataSet)
        for metric in ReportMetric.allCases {
            guard let expected = try golden.csv(metric) else { continue }
            let actual = CSVRenderer.render(try store.maker.document([metric], golden.request()).table(metric))
            for difference in GoldenCase.differences(actual, expected) {
                Issue.record("\(golden) \(metric.rawValue): \(difference)")
            }
        }
        guard let expected = try golden.comparison() else { return }
        let request = try ComparisonRequest(.rest, adjust: golden.adjust())
        let comparison = try #require(try store.maker.document([], golden.request(), comparing: request).comparison)
        for difference in GoldenCase.differences(CSVRenderer.render(comparison.table()), expected) {
            Issue.record("\(golden) compare: \(difference)")
        }
    }
}
