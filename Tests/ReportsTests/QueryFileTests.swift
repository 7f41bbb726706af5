import Foundation
import PlayStore
import Queries
import Testing
import TestSupport

@testable import Reports

@Suite("A query file")
struct QueryFileTests {
    /// The scope that files hold for people: every play, by region, in UTC.
    static func scope(_ file: QueryFile) -> String {
        var scope = PlayScope(ReportRequest(), dialect: .sqlite, range: nil, span: 0..<1)
        if file == .sessionStartups {
            var ungrouped = scope
            ungrouped.dimensions = []
            scope.thresholds = StartupThresholds([.init(key: [], p50: 400, p95: 1_500)], in: ungrouped)
        }
        return scope.query(file.columns).sql
    }

    @Test("holds the scope that a report of all plays by region would put there", arguments: QueryFile.allCases)
    func scopeByHand(_ file: QueryFile) {
        guard let scope = file.scope else {
            #expect(file.columns.isEmpty)
            return
        }
        #expect(scope == Self.scope(file))
    }

    @Test("keeps to the words that SQLite and ClickHouse share", arguments: QueryFile.allCases)
    func dialect(_ file: QueryFile) {
        let sql = file.sql(scope: "").uppercased()
        for word in ["/", " WITH ", " OVER ", "FILTER", " LIKE ", "DATE(", "STRFTIME", "--"] {
            #expect(!sql.contains(word), "\(file.rawValue).sql has \(word)")
        }
    }

    @Test(
        "begins with a comment that says what a row is, its parameters and its columns", arguments: QueryFile.allCases)
    func comment(_ file: QueryFile) {
        let comment = file.text.split(separator: "\n").prefix { $0.hasPrefix("--") }.joined(separator: "\n")
        for word in ["A row is", "Parameters:", "Columns:"] {
            #expect(comment.contains(word))
        }
    }

    @Test("runs by hand as it stands", arguments: QueryFile.allCases.filter { $0.scope != nil })
    func byHand(_ file: QueryFile) throws {
        let cases = try CaseStore("tiny-by-hand")
        var rows = 0
        try cases.store.rows(file.text, []) { _ in rows += 1 }
        #expect(rows > 0)
    }
}
