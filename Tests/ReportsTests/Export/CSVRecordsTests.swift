import Testing

@testable import Reports

@Suite("CSV")
struct CSVRecordsTests {
    @Test("comes back as it was written, whatever is in a cell")
    func roundTrip() {
        let cells = ["", "a", "a,b", "\"", "a\"b", "\r\n", "\n", "\r", "é", "'=1", " a ", "a\u{2028}b"]
        for first in cells {
            for second in cells {
                let records = [[first, second], ["x", first]]
                let text = records.map(CSVRenderer.line).joined()
                #expect(
                    CSVRecords.parse(text)?.map { $0.map { Array($0.utf8) } }
                        == records.map { $0.map { Array($0.utf8) } })
            }
        }
        #expect(CSVRecords.parse("\"a") == nil)
        #expect(CSVRecords.parse("a,b") == nil)
        #expect(CSVRecords.parse("") == [])
    }

    @Test("guards against cells that a spreadsheet would take for a formula, and lets numbers be")
    func guarded() {
        let answers = [
            "=1+1": "'=1+1", "+49": "+49", "-12660": "-12660", "-1.5": "-1.5", "+1.": "'+1.", "-": "'-", "@a": "'@a",
            "\tx": "'\tx", "a=1": "a=1", "-1-1": "'-1-1", "": "", "5": "5",
        ]
        for (text, answer) in answers { #expect(CSVRenderer.text(.text(text)) == answer) }
        #expect(CSVRenderer.text(.integer(-5)) == "-5")
        #expect(CSVRenderer.text(.decimal(-0.5)) == "-0.500000")
        #expect(CSVRenderer.text(.empty) == "")
    }

    @Test("has a cell of its own for every text, so that =1 and '=1 are two groups in the file, too")
    func injective() {
        let answers = ["=1": "'=1", "'=1": "''=1", "''=1": "'''=1", "'": "'", "'a": "'a", "'-5": "'-5", "'-": "''-"]
        for (text, answer) in answers { #expect(CSVRenderer.text(.text(text)) == answer) }
        var texts = [""]
        for _ in 0..<4 { texts += texts.flatMap { text in ["'", "=", "-", "5"].map { $0 + text } } }
        let cells = Set(Set(texts).map { CSVRenderer.text(.text($0)) })
        #expect(cells.count == Set(texts).count)
    }
}
