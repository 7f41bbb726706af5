import Archive
import Testing

@Suite("Names in the log")
struct NamesTests {
    @Test(
        "a UTC day holds its first and its last millisecond, before 1970 too",
        arguments: [
            (0, "1970-01-01"), (-1, "1969-12-31"), (86_399_999, "1970-01-01"), (86_400_000, "1970-01-02"),
            (-86_400_000, "1969-12-31"), (-86_400_001, "1969-12-30"), (1_796_083_199_999, "2026-11-30"),
            (Int64.max, "9999-12-31"), (Int64.min, "0000-01-01"),
        ])
    func milliseconds(ms: Int64, day: String) {
        #expect(UTCDay(holding: ms).description == day)
    }

    @Test(
        "a day that does not exist is none",
        arguments: [
            "2026-02-30", "2026-13-01", "2026-00-10", "2025-02-29", "2026-1-01", "2026-01-1x", "", "+026-01-01",
        ])
    func badDays(text: String) {
        #expect(UTCDay(text) == nil)
    }

    @Test("a node's name is 1–32 letters, digits, _ and -")
    func nodes() {
        for name in ["a", "main", "EDGE_2-b", String(repeating: "x", count: 32), "-"] {
            #expect(NodeName(name)?.description == name)
        }
        for name in ["", "a.b", "a/b", "..", "ü", "a b", String(repeating: "x", count: 33), "a\u{0}"] {
            #expect(NodeName(name) == nil)
        }
    }

    @Test("a file's name says its log, node, number and day, and is read back")
    func segments() throws {
        let day = try #require(UTCDay("2026-11-30"))
        for node in ["main", "a-1-2", "-"] {
            for sequence: Int64 in [1, 9_999_999_999, 10_000_000_000, 1_000_000_000_000_000] {
                for kind in LogKind.allCases {
                    let name = SegmentName(kind: kind, node: try #require(NodeName(node)), sequence: sequence, day: day)
                    #expect(SegmentName(file: name.file, folder: name.folder, kind: kind) == name)
                }
            }
        }
        let name = SegmentName(kind: .plays, node: .standard, sequence: 17, day: day)
        #expect(name.path == "day=2026-11-30/plays-main-0000000017.ndjson.gz")
    }

    @Test(
        "other names are no files of the log",
        arguments: [
            "plays-main-0000000000.ndjson.gz", "plays-main-17.ndjson.gz", "plays-main-00000000017.ndjson.gz",
            "plays-0000000017.ndjson.gz", "plays--0000000017.ndjson.gz", "plays-main-0000000017.ndjson",
            "plays-main-0000000017.ndjson.gz.tmp", "rejected-main-0000000017.ndjson.gz",
            "plays-main-9223372036854775807.ndjson.gz", "plays-main-99999999999999999999.ndjson.gz",
            "plays-main--000000017.ndjson.gz", "plays-ma in-0000000017.ndjson.gz", "", "plays-", ".ndjson.gz",
            "plays-main-٠٠٠٠٠٠٠٠١٧.ndjson.gz",
        ])
    func strangers(file: String) {
        #expect(SegmentName(file: file, folder: "day=2026-11-30", kind: .plays) == nil)
    }

    @Test("a histogram counts a value in the first bucket that holds it")
    func histogram() {
        var histogram = Histogram(bounds: [1, 10])
        for value in [0, 1, 1.5, 10, 11, 1e9] { histogram.record(value) }
        #expect(histogram.counts == [2, 2, 2])
        #expect(histogram.count == 6)
        #expect(histogram.sum == 1_000_000_023.5)
    }
}
