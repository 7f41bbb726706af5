import Foundation
import Testing

@testable import Reports

@Suite("A report as JSON")
struct JSONRendererTests {
    @Test("says cell by cell what the case's CSV says", arguments: try! GoldenCase.all())
    func golden(_ golden: GoldenCase) throws {
        let cases = try CaseStore(golden.dataSet)
        for metric in ReportMetric.allCases {
            guard let csv = try golden.csv(metric), let expected = CSVRecords.parse(csv) else { continue }
            let text = JSONRenderer.render(try cases.maker.table(metric, golden.request()))
            let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(json["metric"] as? String == metric.rawValue)
            #expect(json["definitions"] as? Int == 2)
            let rows = try #require(json["rows"] as? [[String: Any]])
            #expect(rows.count == expected.count - 1)
            for (row, record) in zip(rows, expected.dropFirst()) {
                #expect(row.count == record.count)
                for (name, answer) in zip(expected[0], record) {
                    let cell = Self.cell(row[name], like: answer)
                    #expect(GoldenCase.agrees(cell, answer, column: name), "\(metric), \(name): \(cell), \(answer)")
                }
            }
        }
    }

    private static func cell(_ value: Any?, like answer: String) -> String {
        switch value {
        case let text as String: text
        case is NSNull: ""
        case let number as NSNumber:
            answer.contains(".") ? String(format: "%.6f", number.doubleValue) : number.stringValue
        default: "no value"
        }
    }

    @Test("names the newest receipt, and null without a play")
    func asOf() throws {
        let mixed = JSONRenderer.render(try CaseStore("regions-mixed").maker.table(.summary, ReportRequest()))
        #expect(mixed.contains("\"as_of\": 1796037182826, "))
        let empty = JSONRenderer.render(try CaseStore("empty").maker.table(.summary, ReportRequest()))
        let scope = #""time_zone": "UTC", "target_ms": 1000, "where": [], "rows": []}"#
        #expect(empty == "{\"metric\": \"summary\", \"definitions\": 2, \"as_of\": null, \(scope)\n")
    }

    @Test("escapes what a string can't hold, and says how many downloads it left out")
    func escaping() throws {
        var table = ReportTable(
            name: "summary", columns: [ReportColumn("a", .text)], rows: [[.text("\"\\\n\u{1}\u{2028}é=1")]], asOf: 5,
            downloads: 0)
        #expect(
            JSONRenderer.render(table)
                == #"{"metric": "summary", "definitions": 2, "as_of": 5, "rows": [{"a": "\"\\\n\u0001\u2028é=1"}]}"#
                + "\n")
        table.downloads = 3
        #expect(JSONRenderer.render(table).contains("\"downloads_left_out\": 3, "))
    }
}
