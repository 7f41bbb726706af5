import ClickHouse
import Testing

@Suite("A row of tab-separated values")
struct TSVTests {
    @Test("gives back every text that it was given", arguments: 0..<50)
    func roundTrip(seed: UInt8) {
        var texts: [[UInt8]] = []
        for field in 0..<5 {
            texts.append((0..<20).map { UInt8(truncatingIfNeeded: Int(seed) &* 31 &+ field &* 7 &+ $0 &* $0) })
        }
        var row: [UInt8] = []
        for (index, text) in texts.enumerated() {
            if index > 0 { row.append(UInt8(ascii: "\t")) }
            TSVText.append(text, to: &row)
        }
        #expect(!row.contains(UInt8(ascii: "\n")))
        let read = TSVRow(row[...])
        #expect(read.count == texts.count)
        for (index, text) in texts.enumerated() { #expect(read.text(index) == text) }
    }

    @Test("tells NULL from a text that looks like it")
    func null() {
        var row: [UInt8] = []
        TSVText.append(nil, to: &row)
        row.append(UInt8(ascii: "\t"))
        TSVText.append(Array(#"\N"#.utf8), to: &row)
        let read = TSVRow(row[...])
        #expect(read.isNull(0))
        #expect(!read.isNull(1))
        #expect(read.text(1) == Array(#"\N"#.utf8))
    }

    @Test("holds whole numbers up to the ends of their range", arguments: [0, 1, -1, Int64.max, Int64.min])
    func integers(_ value: Int64) {
        var row: [UInt8] = []
        TSVText.append(value, to: &row)
        #expect(TSVRow(row[...]).integer(0) == value)
        #expect(String(decoding: row, as: UTF8.self) == "\(value)")
    }
}
